import { rm } from "node:fs/promises";
import {
  type ArchivedArtifact,
  messageOf,
  type RunStatus,
  type SessionReport,
  type SessionResult,
} from "@switchyard/contracts";
import { collectArtifacts } from "../archive/collect-artifacts.ts";
import { toStoreFailure } from "../run-store/store-failure.ts";
import type { WorkspaceSnapshot } from "../workspace-diff/workspace-snapshot.ts";
import { type Ending, type Outcome, outcomeOf, runEndOf } from "./outcome.ts";
import type { RunningSession } from "./running-session.ts";

/** Inline contents up to this size stay in the report; larger ones are in the archive only. */
const MAX_REPORTED_CHARACTERS = 64 * 1024;

/** What is known when the engine's part is over. */
export interface FinishedExecution {
  /** How it ended. */
  ending: Ending;
  /** When the session began, by the monotonic clock, in milliseconds. */
  startedMs: number;
  /** Time the engine took, in milliseconds. */
  engineMs: number;
  /** The workspace before, where it is a git repository. */
  snapshot: WorkspaceSnapshot | undefined;
  /** Folder of the snapshots. */
  scratch: string;
}

/**
 * Ends a session: result, artifacts, diff, last events, report, record. Rejects with nothing that an engine or a
 * disk does. architecture: flow 7 to 9.
 */
export async function finishSession(session: RunningSession, finished: FinishedExecution): Promise<SessionReport> {
  const { plan, events, stop } = session;
  const request = stop.request;
  stop.release();
  events.closeForEngine();
  if (finished.ending.kind === "given_up") {
    await events.warn(
      "engine_given_up",
      `The engine ${plan.engineName} did not stop in the time it had for that and was left behind.`,
    );
  }
  const outcome = await outcomeOf({
    ending: finished.ending,
    request,
    board: plan.board,
    engine: plan.engineName,
    hasTimeLimit: (plan.input.timeout_seconds ?? 0) > 0,
    defaults: {
      engine: plan.engineName,
      model: modelOf(session),
      durationMs: finished.engineMs,
      usage: session.usage.total(),
    },
  });
  if (outcome.error !== undefined) tellOfError(session, outcome.error);
  const artifacts = await archive(session, outcome.result);
  const workspaceDiff = await diff(session, finished);
  await closeEnvironment(session);
  await closeRecording(session);
  await endEvents(session, outcome);
  const draft = { outcome, artifacts, workspaceDiff, finished };
  return writeReport(session, reportOf(session, draft));
}

/** What a host does with a diagnostic cannot harm the run. */
export function tellOfError({ plan }: RunningSession, error: unknown): void {
  try {
    plan.options.onError?.(error);
  } catch {
    // The report says it all the same.
  }
}

function modelOf({ plan, events }: RunningSession): string | undefined {
  return plan.input.model ?? plan.options.model ?? events.model;
}

async function archive(session: RunningSession, result: SessionResult | undefined): Promise<ArchivedArtifact[]> {
  const { plan, folder, events } = session;
  try {
    const target = { environment: plan.environment, folder: folder.file("artifacts") };
    const artifacts = await collectArtifacts(result?.artifacts, target);
    for (const { name, dropped } of artifacts) {
      if (dropped !== undefined)
        await events.warn("artifact_dropped", `The artifact ${name} was not archived: ${dropped}`);
    }
    return artifacts;
  } catch (error) {
    await events.warn("artifact_dropped", `The artifacts were not archived: ${messageOf(error)}`);
    return [];
  }
}

async function diff(session: RunningSession, { snapshot, scratch }: FinishedExecution): Promise<string | undefined> {
  try {
    return await snapshot?.diff();
  } catch (error) {
    await session.events.warn(
      "workspace_diff",
      `The changes to the workspace are not in the report: ${messageOf(error)}`,
    );
    return undefined;
  } finally {
    await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function closeEnvironment({ plan, events }: RunningSession): Promise<void> {
  if (!plan.ownsEnvironment) return;
  try {
    await plan.environment[Symbol.asyncDispose]();
  } catch (error) {
    await events.warn("environment", `The environment could not be closed: ${messageOf(error)}`);
  }
}

async function closeRecording({ recording, events }: RunningSession): Promise<void> {
  try {
    await recording.close();
  } catch (error) {
    await events.warn("recording", `The model calls are not recorded whole: ${messageOf(error)}`);
  }
}

/** A log that could not be written is tried once more, so that it has an end when there is room again. */
async function endEvents({ events, journal, eventsFile }: RunningSession, outcome: Outcome): Promise<void> {
  journal.retry();
  await events.end(outcome.status, runEndOf(outcome)).catch(() => undefined);
  await journal.end();
  await eventsFile.sync().catch(() => undefined);
  await eventsFile.close().catch(() => undefined);
}

interface Draft {
  outcome: Outcome;
  artifacts: ArchivedArtifact[];
  workspaceDiff: string | undefined;
  finished: FinishedExecution;
}

function reportOf(session: RunningSession, { outcome, artifacts, workspaceDiff, finished }: Draft): SessionReport {
  const { plan, events, folder, journal } = session;
  // A log without its end is a failure even when the engine's part went well.
  const failure = outcome.error ?? journal.failure;
  const status = journal.failure === undefined ? outcome.status : "error";
  const model = outcome.result?.model ?? modelOf(session);
  const report: SessionReport = {
    runId: plan.runId,
    engine: plan.engineName,
    ...(model === undefined ? {} : { model }),
    status,
    ...(outcome.result === undefined ? {} : { result: withoutLargeContents(outcome.result) }),
    ...(failure === undefined ? {} : { error: failure.toWire() }),
    artifacts,
    ...(events.warnings.length === 0 ? {} : { warnings: [...events.warnings] }),
    usage: session.usage.total(),
    timing: {
      startedAt: session.status.record.created_at,
      finishedAt: new Date(plan.now()).toISOString(),
      durationMs: Math.round(plan.timer.monotonic() - finished.startedMs),
    },
    ...(workspaceDiff === undefined ? {} : { workspaceDiff }),
  };
  return { ...plan.masker.maskData(report), runFolder: folder.path };
}

/** The archive has them; a report of hundreds of megabytes would be of no use. */
function withoutLargeContents(result: SessionResult): SessionResult {
  const files = result.artifacts?.files;
  if (files === undefined) return result;
  const small = files.map(({ content, content_base64, ...file }) => ({
    ...file,
    ...(isSmall(content) ? { content } : {}),
    ...(isSmall(content_base64) ? { content_base64 } : {}),
  }));
  return { ...result, artifacts: { ...result.artifacts, files: small } };
}

function isSmall(content: string | undefined): content is string {
  return content !== undefined && content.length <= MAX_REPORTED_CHARACTERS;
}

/** The record is written last: whoever sees a run that is over finds its report. D7. */
async function writeReport(session: RunningSession, report: SessionReport): Promise<SessionReport> {
  const { folder, status } = session;
  try {
    await folder.writeReport(report);
    await status.finish(lastRecord(report, report.status));
    return report;
  } catch (error) {
    const failed: SessionReport = { ...report, status: "error", error: toStoreFailure(error, folder.path).toWire() };
    await status.finish(lastRecord(failed, "error")).catch(() => undefined);
    return failed;
  }
}

function lastRecord(
  report: SessionReport,
  status: RunStatus,
): { status: RunStatus; finished_at: string; model?: string | undefined } {
  const { model, timing } = report;
  return { status, finished_at: timing.finishedAt, ...(model === undefined ? {} : { model }) };
}
