import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  ARTIFACT_ORIGINS,
  type ArchivedArtifact,
  DROPPED_ARTIFACTS,
  type EngineError,
  isoTime,
  messageOf,
  RESUMABLE_RUN_STATUSES,
  type RunRecord,
  type RunStatus,
  type SessionReport,
  type SessionResult,
  toEngineError,
  toUsageView,
} from "@switchyard/contracts";
import type { WorkspaceSnapshot } from "@switchyard/workspace";
import { collectArtifacts } from "../archive/collect-artifacts.ts";
import { archiveRawOutput } from "../raw-output/archive-raw-output.ts";
import { type Ending, type Outcome, outcomeOf, runEndOf } from "../result/outcome.ts";
import { canResumeRun, notResumableError } from "../resume/can-resume-run.ts";
import { RUN_FILES } from "../run-files/run-files.ts";
import { isStale, toStoreFailure } from "../run-files/store-failure.ts";
import { scratchOf } from "../workspace-changes/begin-snapshot.ts";
import { type StoredChanges, storeChanges } from "../workspace-changes/store-changes.ts";
import { timeLimitMs } from "./execute-engine.ts";
import type { RunningSession } from "./running-session.ts";

/**
 * Maximum size of inline artifact contents in the report, in characters. Larger contents are stored only in the
 * archive.
 */
const MAX_REPORTED_CHARACTERS = 64 * 1024;

/** State of a session after its engine has ended. */
export interface FinishedExecution {
  /** How the engine ended. */
  ending: Ending;
  /** Time for which the engine ran, in milliseconds. */
  engineMs: number;
  /** Snapshot of the workspace from before the first attempt. `undefined` if there is none. */
  snapshot: WorkspaceSnapshot | undefined;
}

/**
 * Finishes a session: result, artifacts, diff, last events, report, record. Writes nothing to a run that another writer
 * has taken over. Failures of the engine or the disk do not reject. See durability promises D6, D7.
 */
export async function finishSession(session: RunningSession, finished: FinishedExecution): Promise<SessionReport> {
  const { plan, events, stop, host } = session;
  const request = stop.request;
  stop.release();
  session.questions.close();
  events.closeForEngine();
  await host.settled();
  await session.control.settled();
  if (finished.ending.kind === "given_up") {
    await events.warn("engine_given_up", `The engine ${plan.engineName} did not stop in time and was abandoned.`);
  }
  const outcome = await outcomeOf({
    ending: finished.ending,
    request,
    board: plan.board,
    engine: plan.engineName,
    hasTimeLimit: timeLimitMs(plan) > 0,
    defaults: {
      engine: plan.engineName,
      model: modelOf(session),
      durationMs: finished.engineMs,
      usage: session.usage.total(),
    },
  });
  if (outcome.error !== undefined) reportError(session, outcome.error);
  await warnOfUndelivered(session, outcome);
  const artifacts = [...(await archive(session, outcome.result)), ...(await archiveRawOutput(session))];
  const changes = session.loss() === undefined ? await storeChanges(session, finished.snapshot) : {};
  const resumeError = await resumeErrorOf(session, outcome);
  if (!RESUMABLE_RUN_STATUSES.includes(outcome.status)) await finished.snapshot?.discard?.().catch(() => undefined);
  await closeEnvironment(session);
  await closeRecording(session);
  await endEvents(session, outcome);
  const report = reportOf(session, { outcome, artifacts, changes, resumeError });
  if (session.loss() === undefined) return writeReport(session, report);
  await session.writer.release().catch(() => undefined);
  return report;
}

/** Passes an error to the host's `onError`. */
export function reportError({ plan }: RunningSession, error: unknown): void {
  try {
    plan.options.onError?.(error);
  } catch {
    // A failing diagnostic callback must not affect the run. The report contains the error too.
  }
}

/**
 * Warns about messages that the engine never received. If the run can be resumed, no warning is needed, because the
 * next attempt delivers the messages.
 */
async function warnOfUndelivered({ plan, events }: RunningSession, { status }: Outcome): Promise<void> {
  const { waiting } = plan.control;
  if (waiting === 0 || RESUMABLE_RUN_STATUSES.includes(status) || plan.capabilities.acceptsSteering !== true) return;
  const messages = waiting === 1 ? "1 message" : `${waiting} messages`;
  await events.warn("steering_too_late", `${messages} came too late for the engine ${plan.engineName}.`);
}

/**
 * Returns the error that an attempt to resume this run would cause. `undefined` if the run can be resumed or has ended.
 */
async function resumeErrorOf(
  { plan, writer, loss }: RunningSession,
  { status }: Outcome,
): Promise<EngineError | undefined> {
  if (!RESUMABLE_RUN_STATUSES.includes(status) || loss() !== undefined) return undefined;
  try {
    return (await canResumeRun(writer, plan.engine)) ? undefined : notResumableError(plan.runId, plan.engineName);
  } catch (error) {
    return toEngineError(error);
  }
}

function modelOf({ plan, events, earlier }: RunningSession): string | undefined {
  return plan.input.model ?? plan.options.model ?? events.model ?? earlier.model;
}

async function archive(session: RunningSession, result: SessionResult | undefined): Promise<ArchivedArtifact[]> {
  const { plan, writer, events } = session;
  // Artifacts that the engine omitted from the result. The engine has already reported them.
  const left = plan.board.get(DROPPED_ARTIFACTS) ?? [];
  if (session.attempt === 1 && result?.artifacts === undefined) return left;
  await session.confirm();
  if (session.loss() !== undefined) return [];
  const folder = join(writer.folder, RUN_FILES.artifacts);
  try {
    // Removes artifacts of earlier attempts, because the artifacts of a run are those of its last result.
    if (session.attempt > 1) await rm(folder, { recursive: true, force: true });
    const allowedOrigins = plan.board.get(ARTIFACT_ORIGINS);
    const target = { environment: plan.environment, folder, allowedOrigins };
    const artifacts = await collectArtifacts(result?.artifacts, target);
    for (const { name, dropped } of artifacts) {
      if (dropped !== undefined)
        await events.warn("artifact_dropped", `The artifact ${name} was not archived: ${dropped}`);
    }
    return [...artifacts, ...left];
  } catch (error) {
    await events.warn("artifact_dropped", `The artifacts were not archived: ${messageOf(error)}`);
    return [];
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

/**
 * Enables a log again that could not be written, so that the last events are stored if disk space has become available.
 */
async function endEvents({ events, journal, loss }: RunningSession, outcome: Outcome): Promise<void> {
  if (loss() === undefined) {
    journal.retry();
    await events.end(outcome.status, runEndOf(outcome)).catch(() => undefined);
  }
  await journal.end();
}

interface Draft {
  outcome: Outcome;
  artifacts: ArchivedArtifact[];
  changes: StoredChanges;
  resumeError: EngineError | undefined;
}

function reportOf(session: RunningSession, { outcome, artifacts, changes, resumeError }: Draft): SessionReport {
  const { plan, events, writer, journal, attempts } = session;
  // If events could not be stored, the run fails even if the engine succeeded.
  const unwritten = session.loss() ?? journal.failure;
  const failure = outcome.error ?? unwritten;
  const status = unwritten === undefined ? outcome.status : "error";
  const model = outcome.result?.model ?? modelOf(session);
  const report: SessionReport = {
    runId: plan.runId,
    engine: plan.engineName,
    ...(model === undefined ? {} : { model }),
    environment: plan.environment.name,
    status,
    ...(outcome.result === undefined ? {} : { result: withoutLargeContents(outcome.result) }),
    ...outputOf(session, outcome),
    ...(failure === undefined ? {} : { error: failure.toWire() }),
    ...(resumeError === undefined ? {} : { resumeError: resumeError.toWire() }),
    ...(attempts.failed.length === 0 ? {} : { failedAttempts: [...attempts.failed] }),
    ...modelsOf(session),
    artifacts,
    ...(events.warnings.length === 0 ? {} : { warnings: [...events.warnings] }),
    usage: session.usage.total(),
    timing: {
      startedAt: writer.record.started_at ?? writer.record.created_at,
      finishedAt: isoTime(plan.now()),
      durationMs: Math.round(session.activeMs()),
    },
    ...changes,
  };
  return { ...plan.masker.maskData(report), runFolder: writer.folder };
}

/** Returns the models of the run if it used several, and the switches to fallback models. */
function modelsOf({ earlier, events, usage }: RunningSession): Pick<SessionReport, "modelFallbacks" | "models"> {
  const modelFallbacks = [...earlier.modelFallbacks, ...events.modelFallbacks];
  const models = usage.models();
  return {
    ...(modelFallbacks.length === 0 ? {} : { modelFallbacks }),
    ...(models.length < 2 ? {} : { models: [...models] }),
  };
}

/** Returns the JSON document that the output schema requested. `undefined` unless the run completed. */
function outputOf({ plan }: RunningSession, { status, result }: Outcome): Pick<SessionReport, "output"> {
  if (plan.options.output === undefined || status !== "completed" || result === undefined) return {};
  return { output: JSON.parse(result.final_message) };
}

/** Removes large inline artifact contents from the report. The archive contains them. */
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

/**
 * Writes the report, then the record, so that a run that is shown as ended always has a report. See durability promise
 * D7.
 */
async function writeReport(session: RunningSession, report: SessionReport): Promise<SessionReport> {
  const { writer, record, plan } = session;
  try {
    await record.finish(report, lastRecord(session, report, report.status));
  } catch (error) {
    const failure = toStoreFailure(error, writer.folder);
    const failed: SessionReport = { ...report, status: "error", error: failure.toWire() };
    if (isStale(failure)) await writer.release().catch(() => undefined);
    else await record.giveUp(lastRecord(session, failed, "error"));
    return failed;
  }
  const hasSnapshot = plan.options.workspaceDiff !== false || session.attempt > 1;
  // A run that can be resumed still needs its snapshot, to compute the diff later.
  // Files that cannot be removed now are removed with the run.
  if (hasSnapshot && (!RESUMABLE_RUN_STATUSES.includes(report.status) || plan.location.isTemporary)) {
    await rm(scratchOf(session), { recursive: true, force: true }).catch(() => undefined);
  }
  return report;
}

function lastRecord(
  { host }: RunningSession,
  { model, timing, usage, result }: SessionReport,
  status: RunStatus,
): Partial<RunRecord> {
  const { newest } = host.work;
  const sessionId = result?.session_id;
  return {
    ...(newest === 0 ? {} : { newest_checkpoint: newest }),
    status,
    finished_at: timing.finishedAt,
    usage: toUsageView(usage),
    ...(model === undefined ? {} : { model }),
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
  };
}
