import {
  type Checkpoint,
  EngineError,
  isoTime,
  RESUMABLE_RUN_STATUSES,
  type RunRecord,
  type RunStore,
  type RunWriter,
  SESSION_INPUT,
  type SessionHandle,
  type SessionInput,
} from "@switchyard/contracts";
import { assertBudgetLeft, assertRunId } from "@switchyard/engine";
import type { RunBudget } from "@switchyard/stores/budget";
import { cancelledError } from "../control/stop-control.ts";
import { isRecord } from "../input/is-record.ts";
import { assertOutput } from "../output/assert-output.ts";
import { assertOptions } from "../preflight/check-session.ts";
import { prepareNextAttempt } from "../preflight/open-workspace.ts";
import { completeWithBudget } from "../session/complete-with-budget.ts";
import { timedOutError, timeLimitMs } from "../session/execute-engine.ts";
import { assertSettings, runnerSettingsOf } from "../session/run-request.ts";
import { createRunningSession, type RunningSession } from "../session/running-session.ts";
import { createSessionHandle } from "../session/session-handle.ts";
import { openSessionStore, planSession, type SessionPlan } from "../session/session-plan.ts";
import { hasNotStarted, notResumableError } from "./can-resume-run.ts";
import { type EarlierAttempts, NO_EARLIER_ATTEMPTS, readEarlierAttempts } from "./earlier-attempts.ts";
import { finishRecord } from "./finish-record.ts";
import { endMarkedProcesses } from "./orphaned-processes.ts";
import { assertCheckpointNotLost } from "./recorded-work.ts";
import type { ResumeSessionOptions } from "./resume-session-options.ts";

/**
 * Resumes a run that crashed, was stopped or failed, from its last checkpoint: same run id, next attempt. If the run is
 * only queued, starts the first attempt. Rejects with `run.not_found`, `run.finished`, `run.not_resumable`,
 * `checkpoint.*` and the errors of `startSession`. Rejects with `run.leased` while another process works on the run,
 * with `run.timed_out` or `budget.*` if no time or budget is left, and with `run.cancelled` if the signal has fired.
 * After a rejection, the run is unchanged, and this process does not hold its lease. See engine: LoadAndResume;
 * durability promises D2, D6, D7, D9.
 */
export async function resumeSession(runId: string, options: ResumeSessionOptions): Promise<SessionHandle> {
  assertOptions(options);
  assertSettings(options);
  await assertOutput(options.output);
  assertRunId(runId);
  assertNotCancelled(options);
  const store = await openSessionStore(options);
  const writer = await acquire(store, runId, options);
  try {
    const session = await prepare(writer, options, store);
    return createSessionHandle(session, completeWithBudget(session, session.sharedBudget));
  } catch (error) {
    await writer.release().catch(() => undefined);
    throw error;
  }
}

async function acquire(store: RunStore, runId: string, options: ResumeSessionOptions): Promise<RunWriter> {
  const { takeOver, signal, seen } = options;
  try {
    return await store.acquire(runId, { takeOver, signal, seen });
  } catch (error) {
    throw signal?.aborted === true && !EngineError.is(error) ? cancelledError(error) : error;
  }
}

/**
 * If the caller cancels before the attempt starts, the stored run stays unchanged, so that the run can be resumed
 * later.
 */
function assertNotCancelled({ signal }: ResumeSessionOptions): void {
  if (signal?.aborted) throw cancelledError(signal.reason);
}

/** Prepares the attempt. All checks are performed before anything is changed. */
async function prepare(writer: RunWriter, given: ResumeSessionOptions, store: RunStore): Promise<RunningSession> {
  const { runId, record, request } = writer;
  // The store knows that the run has neither report, checkpoint nor events, so they are not read.
  const isNew = writer.isNew === true;
  const isOver =
    !RESUMABLE_RUN_STATUSES.includes(record.status) || (!isNew && (await finishRecord(store, writer)) !== undefined);
  if (isOver) throw new EngineError("run.finished", { runId });
  const options = withStoredOptions(given, writer);
  assertSameEngine(options, record);
  const input = { ...request.input, ...inputLimits(options) };
  const stored = isNew ? undefined : await writer.load();
  const earlier = isNew
    ? NO_EARLIER_ATTEMPTS
    : { ...(await readEarlierAttempts(store, runId, stored)), lastSeq: writer.lastSeq };
  assertCheckpointNotLost(writer, stored, earlier.work);
  const isFresh = hasNotStarted(writer) && stored === undefined;
  const checkpoint = withInput(stored, input, options);
  const removed = await prepareNextAttempt(options, runId);
  const plan = await planSession(input, options, { runId, parentRunId: record.parent_run_id, store, checkpoint });
  let sharedBudget: RunBudget | undefined;
  try {
    if (!isFresh) await assertResumable(plan, record);
    assertSameEnvironment(plan, record, options);
    assertLimitsRemain(plan, earlier);
    sharedBudget = await options.openSharedBudget?.({ owner: record.owner, signal: options.signal });
    assertNotCancelled(options);
    // The record may be older than the events. Both are considered, because attempt numbers must not be reused.
    const attempt = isFresh ? record.attempt : Math.max(record.attempt, earlier.work.lastAttempt) + 1;
    // Ends processes that a crashed attempt left running, because they must not change files during this attempt.
    const ended = await endMarkedProcesses(plan.environment, record);
    const began = isFresh ? { started_at: isoTime(plan.now()) } : {};
    await writer.update({ ...nextAttempt(plan, attempt), ...began, ...replacedSettings(plan, record, options) });
    const accepted = { writer, attempt, reason: options.reason, earlier, sharedBudget, newest: stored?.number };
    const session = createRunningSession(plan, accepted);
    if (earlier.problem !== undefined) {
      const message = `Some data of earlier attempts is missing: ${earlier.problem}`;
      await session.events.warn("history_incomplete", message);
    }
    if (removed > 0) {
      const removedText = removed === 1 ? "one container or pod" : `${removed} containers or pods`;
      await session.events.warn("places_removed", `Removed ${removedText} of dead processes.`);
    }
    if (ended > 0) {
      const removedText = ended === 1 ? "one process" : `${ended} processes`;
      await session.events.warn("processes_ended", `Ended ${removedText} that the attempt before had left running.`);
    }
    return session;
  } catch (error) {
    await sharedBudget?.close();
    if (plan.ownsEnvironment) await plan.environment[Symbol.asyncDispose]();
    throw error;
  }
}

/** Fills in missing options with those stored with the run. Options given by the caller take precedence. */
function withStoredOptions(options: ResumeSessionOptions, { record, request }: RunWriter): ResumeSessionOptions {
  const stored = runnerSettingsOf(request);
  const { engine } = options;
  return {
    ...options,
    engineName: options.engineName ?? (typeof engine === "string" ? engine : record.engine),
    budget: options.budget ?? stored.budget,
    retry: options.retry ?? stored.retry,
    output: options.output ?? stored.output,
    keepRawOutput: options.keepRawOutput ?? stored.keepRawOutput,
    attributes: { ...stored.attributes, ...options.attributes },
    model: options.model ?? record.model,
  };
}

/** Only the engine that created a checkpoint can read it. */
function assertSameEngine({ engineName }: ResumeSessionOptions, { run_id: runId, engine }: RunRecord): void {
  if (engineName === engine) return;
  throw new EngineError("run.not_resumable", { runId, problem: `its engine is ${engine}, not ${engineName}` });
}

/** A resume in another environment is rejected, because the work of earlier attempts is missing there. */
function assertSameEnvironment(
  { environment }: SessionPlan,
  { run_id: runId, environment: before }: RunRecord,
  { isMoved }: ResumeSessionOptions,
): void {
  if (before === undefined || before === environment.name || isMoved === true) return;
  throw new EngineError("run.not_resumable", { runId, problem: `it runs in ${before}, not in ${environment.name}` });
}

type InputLimits = Pick<SessionInput, "timeout_seconds" | "retry_for_seconds">;

/** Returns the given limits as fields of a session input. */
function inputLimits({ timeoutSeconds, retryForSeconds }: ResumeSessionOptions): InputLimits {
  return {
    ...(timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds }),
    ...(retryForSeconds === undefined ? {} : { retry_for_seconds: retryForSeconds }),
  };
}

/** Writes the given limits to the checkpoint's board, because a resumed engine reads its limits there. */
function withInput(
  checkpoint: Checkpoint | undefined,
  input: SessionInput,
  options: ResumeSessionOptions,
): Checkpoint | undefined {
  const limits = inputLimits(options);
  if (checkpoint === undefined || Object.keys(limits).length === 0) return checkpoint;
  const { board } = checkpoint;
  const { [SESSION_INPUT.name]: before } = board.vars;
  // The input stored on the board is used, because it may contain later messages than the stored request.
  const next = isRecord(before) ? { ...before, ...limits } : input;
  return { ...checkpoint, board: { ...board, vars: { ...board.vars, [SESSION_INPUT.name]: next } } };
}

/** Without a checkpoint, a run can restart only if its engine saves a checkpoint before its first side effect. */
async function assertResumable(
  { runId, capabilities, engineName, checkpoint, environment }: SessionPlan,
  record: RunRecord,
): Promise<void> {
  if (checkpoint !== undefined || capabilities.emitsCheckpoint === true) return;
  // The processes are ended here, because the run cannot be resumed and no later attempt would end them.
  await endMarkedProcesses(environment, record);
  throw notResumableError(runId, engineName);
}

function assertLimitsRemain(plan: SessionPlan, earlier: EarlierAttempts): void {
  const limitMs = timeLimitMs(plan);
  if (limitMs > 0 && earlier.activeMs >= limitMs) throw timedOutError(limitMs);
  if (plan.options.budget !== undefined) assertBudgetLeft(plan.options.budget, earlier.usage);
}

function replacedSettings(
  { masker }: SessionPlan,
  { settings: before }: RunRecord,
  { settings }: ResumeSessionOptions,
): Pick<RunRecord, "settings"> {
  return settings === undefined ? {} : { settings: { ...before, ...masker.maskData({ ...settings }) } };
}

function nextAttempt({ input, options, environment }: SessionPlan, attempt: number): Partial<RunRecord> {
  return {
    attempt,
    status: "running",
    finished_at: undefined,
    workspace: input.workspace,
    environment: environment.name,
    process_mark: environment.processMark,
    ...(options.worker === undefined ? {} : { worker: options.worker }),
    ...(options.createdBy === undefined ? {} : { created_by: options.createdBy }),
  };
}
