import { join } from "node:path";
import {
  messageOf,
  type RunRecord,
  type SessionHandle,
  type SessionInput,
  type SessionReport,
  toEngineError,
} from "@switchyard/contracts";
import { createRunFolder } from "../run-store/run-folder.ts";
import { takeSnapshot, type WorkspaceSnapshot } from "../workspace-diff/workspace-snapshot.ts";
import { titleOf } from "./board-from-session.ts";
import { armStops, executeEngine } from "./execute-engine.ts";
import { finishSession, tellOfError } from "./finish-session.ts";
import { createRunningSession, type RunningSession } from "./running-session.ts";
import { createSessionHandle } from "./session-handle.ts";
import { planSession, type SessionPlan } from "./session-plan.ts";
import type { StartSessionOptions } from "./start-session-options.ts";

/** Folder of a run for what is thrown away at its end. */
const SCRATCH_FOLDER = "scratch";

/**
 * Starts a session and hands out its handle. When it resolves, the run is on disk and listed (D1), and the engine
 * is on its way; when it rejects, nothing has run. Rejects with `input.*`, `engine.*`, `workspace.*`,
 * `environment.*`, `run.invalid_id`, `run.conflict` or `run.store_failed`. architecture: the one flow.
 */
export async function startSession(input: SessionInput, options: StartSessionOptions): Promise<SessionHandle> {
  const plan = await planSession(input, options);
  try {
    const record = recordOf(plan);
    const accepted = await createRunFolder(options.stateDirectory, record);
    const session = createRunningSession(plan, accepted, record);
    return createSessionHandle(session, runToEnd(session));
  } catch (error) {
    if (plan.ownsEnvironment) await plan.environment[Symbol.asyncDispose]();
    throw error;
  }
}

/** Runs a session to its end. Rejects only when it cannot be started; see {@link startSession}. */
export async function runSession(input: SessionInput, options: StartSessionOptions): Promise<SessionReport> {
  const handle = await startSession(input, options);
  return handle.result;
}

/** Whatever an engine, a disk or this runner itself does wrong is a report. D7, D10. */
async function runToEnd(session: RunningSession): Promise<SessionReport> {
  try {
    return await run(session);
  } catch (error) {
    tellOfError(session, error);
    const report = failedReport(session, error);
    await abandon(session, report.timing.finishedAt);
    return report;
  }
}

/** Leaves nothing open and nothing marked as running. */
async function abandon({ plan, stop, journal, eventsFile, status }: RunningSession, finishedAt: string): Promise<void> {
  stop.release();
  await journal.end().catch(() => undefined);
  await eventsFile.close().catch(() => undefined);
  await status.finish({ status: "error", finished_at: finishedAt }).catch(() => undefined);
  if (plan.ownsEnvironment) await Promise.resolve(plan.environment[Symbol.asyncDispose]()).catch(() => undefined);
}

async function run(session: RunningSession): Promise<SessionReport> {
  const { plan, folder } = session;
  const startedMs = plan.timer.monotonic();
  const scratch = join(folder.path, SCRATCH_FOLDER);
  const disarm = armStops(session);
  const snapshot = await snapshotOf(session, scratch);
  const engineStartedMs = plan.timer.monotonic();
  const ending = await executeEngine(session);
  const engineMs = Math.round(plan.timer.monotonic() - engineStartedMs);
  disarm();
  return finishSession(session, { ending, startedMs, engineMs, snapshot, scratch });
}

function failedReport({ plan, folder, events, usage, status }: RunningSession, error: unknown): SessionReport {
  const startedAt = status.record.created_at;
  const finishedMs = plan.now();
  return {
    ...plan.masker.maskData({
      runId: plan.runId,
      engine: plan.engineName,
      status: "error" as const,
      error: toEngineError(error).toWire(),
      artifacts: [],
      warnings: [...events.warnings],
      usage: usage.total(),
    }),
    timing: {
      startedAt,
      finishedAt: new Date(finishedMs).toISOString(),
      durationMs: Math.max(0, finishedMs - Date.parse(startedAt)),
    },
    runFolder: folder.path,
  };
}

/** The workspace before the engine begins. Only places on this machine can share a folder with the runner. */
async function snapshotOf(session: RunningSession, scratch: string): Promise<WorkspaceSnapshot | undefined> {
  const { plan, stop } = session;
  const { environment, options } = plan;
  if (options.workspaceDiff === false || environment.name !== "local") return undefined;
  try {
    return await takeSnapshot(environment, { scratch, excluded: options.stateDirectory, signal: stop.requested });
  } catch (error) {
    const problem = messageOf(error);
    await session.events.warn("workspace_diff", `The changes to the workspace will not be in the report: ${problem}`);
    return undefined;
  }
}

function recordOf({ runId, input, options, engineName, masker, now }: SessionPlan): RunRecord {
  const model = input.model ?? options.model;
  return {
    format: 1,
    run_id: runId,
    ...(options.parentRunId === undefined ? {} : { parent_run_id: options.parentRunId }),
    engine: engineName,
    ...(model === undefined ? {} : { model }),
    workspace: input.workspace,
    title: masker.mask(titleOf(input)),
    status: "running",
    attempt: 1,
    created_at: new Date(now()).toISOString(),
    created_by: options.createdBy ?? "@switchyard/runner",
  };
}
