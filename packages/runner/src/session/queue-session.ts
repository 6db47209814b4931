import { EngineError, isoTime, RESUMABLE_RUN_STATUSES, type RunRecord, type SessionInput } from "@switchyard/contracts";
import { assertRunId } from "@switchyard/engine";
import { assertOutput } from "../output/assert-output.ts";
import { assertInput, assertOptions, assertRetryable, resolveEngine } from "../preflight/check-session.ts";
import { canResumeRun, notResumableError } from "../resume/can-resume-run.ts";
import { finishRecord } from "../resume/finish-record.ts";
import { createRunId } from "../run-files/run-id.ts";
import { titleOf } from "./board-from-session.ts";
import { assertSettings, requestOf } from "./run-request.ts";
import { sessionMasker } from "./session-masker.ts";
import type { SessionOptions } from "./session-options.ts";
import { openSessionStore } from "./session-plan.ts";
import type { StartSessionOptions } from "./start-session-options.ts";

/** Options of {@link queueSession}. */
export interface QueueSessionOptions extends StartSessionOptions {
  /**
   * Called when input and options have been checked, before the run is stored. Stores what the run needs, such as files,
   * and resolves with settings to store in addition to `settings`. If it rejects, no run is stored. Default: nothing is
   * stored before the run.
   */
  beforeStore?: (() => Promise<Readonly<Record<string, unknown>>>) | undefined;
}

/**
 * Accepts a session without starting it. When the call resolves, the run is stored as `queued` (durability promise D1);
 * `resumeSession` starts it, in this or another process. Nothing is opened yet, so problems with the environment appear
 * only when the run starts. Rejects with `input.*`, `engine.*`, `config.invalid`, `run.invalid_id`, `run.conflict` or
 * `run.store_failed`.
 */
export async function queueSession(input: SessionInput, options: QueueSessionOptions): Promise<RunRecord> {
  assertOptions(options);
  await assertOutput(options.output);
  assertSettings(options);
  const nowMs = (options.now ?? Date.now)();
  const runId = options.runId ?? createRunId(nowMs);
  assertRunId(runId);
  await assertInput(input);
  const { name: engineName, engine } = await resolveEngine(options);
  assertRetryable({ name: engineName, engine }, options);
  const store = await openSessionStore(options);
  const masker = sessionMasker({ engine, secrets: options.secrets });
  const model = input.model ?? options.model;
  const { owner, parentRunId, placement, createdBy } = options;
  const record: RunRecord = {
    format: 1,
    run_id: runId,
    ...(parentRunId === undefined ? {} : { parent_run_id: parentRunId }),
    ...(owner === undefined ? {} : { owner }),
    engine: engineName,
    ...(model === undefined ? {} : { model }),
    ...(input.workspace === undefined ? {} : { workspace: input.workspace }),
    ...(placement === undefined ? {} : { placement }),
    ...(input.session_id === undefined ? {} : { session_id: input.session_id }),
    title: masker.mask(titleOf(input)),
    status: "queued",
    attempt: 1,
    created_at: isoTime(nowMs),
    created_by: createdBy ?? "@switchyard/runner",
  };
  const settings = { ...options.settings, ...(await options.beforeStore?.()) };
  assertSettings({ settings });
  const request = requestOf(input, { ...options, settings }, masker);
  if (store.add !== undefined) await store.add(record, request);
  else await (await store.create(record, request)).release();
  return record;
}

/** Options of {@link requeueSession}. */
export interface RequeueSessionOptions
  extends Pick<SessionOptions, "engine" | "registry" | "engineName" | "store" | "stateDirectory" | "now"> {
  /** Number of the run's attempts that were lost because their worker died. Stored in the record. Default: 0. */
  lostAttempts?: number | undefined;
}

/**
 * Stores a run that stopped or crashed as `queued` again, so that `resumeSession` can resume it later. Resolves once
 * the new status is stored. Rejects with `run.not_found`, `run.leased`, `run.finished`, `run.not_resumable`,
 * `checkpoint.*` or `run.store_failed`; the run is then unchanged.
 */
export async function requeueSession(runId: string, options: RequeueSessionOptions): Promise<RunRecord> {
  const store = await openSessionStore(options);
  const { name, engine } = await resolveEngine(options);
  const writer = await store.acquire(runId);
  try {
    const { record } = writer;
    const isOver = !RESUMABLE_RUN_STATUSES.includes(record.status) || (await finishRecord(store, writer)) !== undefined;
    if (isOver) throw new EngineError("run.finished", { runId });
    if (record.engine !== name) {
      throw new EngineError("run.not_resumable", { runId, problem: `its engine is ${record.engine}, not ${name}` });
    }
    if (!(await canResumeRun(writer, engine))) throw notResumableError(runId, name);
    // A run whose process died before it began has waited since it was accepted.
    const queuedAt = record.status === "queued" ? {} : { queued_at: isoTime((options.now ?? Date.now)()) };
    const changes = {
      ...queuedAt,
      ...({ status: "queued", finished_at: undefined, lost_attempts: options.lostAttempts } as const),
    };
    await writer.update(changes);
    return { ...record, ...changes };
  } finally {
    await writer.release();
  }
}
