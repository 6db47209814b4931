import {
  EngineError,
  isoTime,
  type RunRecord,
  type RunStatus,
  type RunStore,
  type RunWriter,
  type SessionReport,
  TERMINAL_RUN_STATUSES,
  toEngineError,
  toUsageView,
} from "@switchyard/contracts";
import { resolveEngine } from "../preflight/check-session.ts";
import { sessionMasker } from "../session/session-masker.ts";
import type { SessionOptions } from "../session/session-options.ts";
import { openSessionStore } from "../session/session-plan.ts";
import { canResumeRun } from "./can-resume-run.ts";
import { NO_EARLIER_ATTEMPTS, readEarlierAttempts } from "./earlier-attempts.ts";
import { finishRecord } from "./finish-record.ts";
import { endOrphanedProcessesIn } from "./orphaned-processes.ts";

/** Options for `settleSession`. */
export interface SettleSessionOptions
  extends Pick<SessionOptions, "engine" | "registry" | "engineName" | "store" | "stateDirectory" | "secrets" | "now"> {
  /** Error to store with the run. Default: an error stating that the run's process died. */
  error?: EngineError | undefined;
  /** Number of the run's attempts that were lost because their worker died. Default: the stored number. */
  lostAttempts?: number | undefined;
  /** Environment in which to end processes that the run left behind. Default: such processes are not ended. */
  environment?: SessionOptions["environment"] | undefined;
}

/**
 * Ends a run that no process works on, because its process died or the run is only queued. The run's status is derived
 * from `error` if given. Otherwise the status is `interrupted` if the run can be resumed, else `error`. Resolves with
 * the run's record. Rejects with `run.not_found`, `run.leased`, `run.finished` or `run.store_failed`. See durability
 * promises D1, D7.
 */
export async function settleSession(runId: string, options: SettleSessionOptions): Promise<RunRecord> {
  const store = await openSessionStore(options);
  const { engine } = await resolveEngine(options);
  const writer = await store.acquire(runId);
  try {
    if (TERMINAL_RUN_STATUSES.includes(writer.record.status)) throw new EngineError("run.finished", { runId });
    const finished = await finishRecord(store, writer);
    if (finished !== undefined) return finished;
    // Failures are ignored, because the run must end even if its environment is unreachable.
    if (options.environment !== undefined)
      await endOrphanedProcessesIn(options.environment, writer.record).catch(() => 0);
    const error = options.error ?? (await cutOffError(writer, engine));
    const report = await reportOf(writer, { store, error, nowMs: (options.now ?? Date.now)() });
    const masker = sessionMasker({ engine, secrets: options.secrets });
    const { status, timing } = report;
    const { lostAttempts = writer.record.lost_attempts } = options;
    const changes = {
      ...{ status, finished_at: timing.finishedAt, usage: toUsageView(report.usage), files_epoch: undefined },
      ...(lostAttempts === undefined ? {} : { lost_attempts: lostAttempts }),
    };
    await writer.finish(masker.maskData(report), changes);
    return { ...writer.record, ...changes };
  } finally {
    await writer.release();
  }
}

async function cutOffError(writer: RunWriter, engine: Parameters<typeof canResumeRun>[1]): Promise<EngineError> {
  try {
    if (await canResumeRun(writer, engine)) return new EngineError("run.interrupted", { cause: "its process ended" });
    const problem = "its process ended, it has no checkpoint, and its engine may have done something already";
    return new EngineError("run.not_resumable", { runId: writer.runId, problem });
  } catch (error) {
    return toEngineError(error);
  }
}

function statusOf({ class: errorClass }: EngineError): RunStatus {
  if (errorClass === "interrupted") return "interrupted";
  return errorClass === "aborted" ? "cancelled" : "error";
}

async function reportOf(
  { runId, record }: RunWriter,
  { store, error, nowMs }: { store: RunStore; error: EngineError; nowMs: number },
): Promise<SessionReport> {
  // The run must end even if its earlier attempts are unreadable.
  const earlier = await readEarlierAttempts(store, runId).catch(() => NO_EARLIER_ATTEMPTS);
  return {
    runId,
    engine: record.engine,
    ...(record.model === undefined ? {} : { model: record.model }),
    ...(record.environment === undefined ? {} : { environment: record.environment }),
    status: statusOf(error),
    error: error.toWire(),
    artifacts: [],
    usage: earlier.usage.usage,
    timing: {
      startedAt: record.started_at ?? record.created_at,
      finishedAt: isoTime(nowMs),
      durationMs: Math.round(earlier.activeMs),
    },
  };
}
