import { join } from "node:path";
import { DEPENDENCY, EngineError, type Host, type RunWriter } from "@switchyard/contracts";
import type { RunBudget } from "@switchyard/stores/budget";
import { type ControlDispatcher, createControlDispatcher } from "../control/control-dispatcher.ts";
import { createStopControl, type StopControl } from "../control/stop-control.ts";
import { budgetedHost } from "../host/budgeted-host.ts";
import { withCheckpointedUsage } from "../host/checkpointed-usage.ts";
import { createEventJournal, type EventJournal } from "../host/event-journal.ts";
import { createRunEvents, type RunEvents } from "../host/run-events.ts";
import { createSessionHost, type SessionHost } from "../host/session-host.ts";
import { sharedBudgetHost } from "../host/shared-budget-host.ts";
import { createUsageMeter, type UsageMeter } from "../host/usage-meter.ts";
import { createUserQuestions, type UserQuestions } from "../host/user-questions.ts";
import { remainingBudgetOf } from "../model-access/remaining-budget.ts";
import { warnOfUnknownCost } from "../preflight/warn-of-budget.ts";
import { createRawOutput, type RawOutput } from "../raw-output/raw-output.ts";
import type { EarlierAttempts } from "../resume/earlier-attempts.ts";
import { withNewest } from "../resume/recorded-work.ts";
import { type AttemptCount, createAttemptCount } from "../retry/attempt-count.ts";
import { createOutputFiles } from "../run-files/output-files.ts";
import { createRecordWriter, type RecordWriter } from "../run-files/record-writer.ts";
import { createRecordingFile, type RecordingFile } from "../run-files/recording-file.ts";
import { RUN_FILES } from "../run-files/run-files.ts";
import { isStale } from "../run-files/store-failure.ts";
import { reportNetworkRequests } from "./report-network-requests.ts";
import { createSecretSink } from "./session-masker.ts";
import { environmentOfEngine, type SessionPlan } from "./session-plan.ts";

/** Default time between an interrupt and cancellation, in milliseconds. */
const INTERRUPT_GRACE_MS = 10_000;
/** Default time between cancellation and abandoning the engine, in milliseconds. */
const CANCEL_GRACE_MS = 5_000;

/** Attempt of a stored run. This process holds the lease: the exclusive right to write to the run. */
export interface AcceptedAttempt {
  /** Writer of the run, which holds the lease (the exclusive right to write). */
  readonly writer: RunWriter;
  /** 1-based number of the first attempt of this session. */
  readonly attempt: number;
  /** Reason for the resume. `undefined` for the first attempt. */
  readonly reason?: string | undefined;
  /** State left by earlier attempts. */
  readonly earlier: EarlierAttempts;
  /** Budget that the run shares with other runs. `undefined`: none. */
  readonly sharedBudget?: RunBudget | undefined;
  /** Number of the checkpoint from which the attempt resumes. `undefined` if there is no checkpoint. */
  readonly newest?: number | undefined;
}

/** State and services of one attempt (execution of a run) while it is active. */
export interface RunningSession extends AcceptedAttempt {
  plan: SessionPlan;
  journal: EventJournal;
  events: RunEvents;
  usage: UsageMeter;
  questions: UserQuestions;
  control: ControlDispatcher;
  stop: StopControl;
  record: RecordWriter;
  recording: RecordingFile;
  host: SessionHost;
  /** Counter of attempts. A session has several attempts if the engine is retried. */
  attempts: AttemptCount;
  /** Stores the output of the engine's processes. `undefined` unless `keepRawOutput` is set. */
  rawOutput: RawOutput | undefined;
  /** Active time of all attempts together, in milliseconds. */
  activeMs(): number;
  /** Error if another writer has taken the run over. `undefined` while no takeover is known. */
  loss(): EngineError | undefined;
  /**
   * Checks with the store that this writer still holds the lease (the right to write to the run). Called before writing
   * files that the store does not protect.
   */
  confirm(): Promise<void>;
}

/** Creates the state and services of an attempt, and connects the engine's host to them. */
export function createRunningSession(plan: SessionPlan, accepted: AcceptedAttempt): RunningSession {
  const { runId, options, masker, now, createId, timer, store } = plan;
  const { writer, attempt, earlier } = accepted;
  const startedMs = timer.monotonic();
  const activeMs = (): number => earlier.activeMs + timer.monotonic() - startedMs;
  const stop = createStopControl({
    timer,
    interruptGraceMs: options.interruptGraceMs ?? INTERRUPT_GRACE_MS,
    cancelGraceMs: options.cancelGraceMs ?? CANCEL_GRACE_MS,
  });
  const { fail, loss } = watchWriter(writer, stop);
  const journal = createEventJournal({ writer, store, observer: options.observer, onFailure: fail });
  const { board, checkpoint } = plan;
  const attempts = createAttemptCount(attempt, earlier.failed);
  const usage = withCheckpointedUsage(createUsageMeter(earlier.usage), { board, checkpoint, activeMs });
  const events = createRunEvents({
    ...{ runId, attempt: () => attempts.current, journal, masker, now, createId },
    isResumed: plan.checkpoint !== undefined,
    onUsage: (payload) => usage.addEvent(payload.usage, payload.response_id),
  });
  reportNetworkRequests(plan, events);
  const record = createRecordWriter(writer, "running");
  const questions = createUserQuestions({
    ...{ events, createId },
    isAnswerable: options.isAnswerable ?? false,
    prompter: options.userPrompter,
    interrupts: stop.interrupts,
    signal: stop.signal,
    onWaiting: async (isWaiting) => {
      const next = isWaiting ? "awaiting_input" : "running";
      if (record.status === next) return;
      await record.set(next);
      await events.report("run_status_changed", { status: next });
    },
  });
  const { recording, rawOutput } = provideFiles(plan, accepted, attempts);
  const interrupts = stop.interrupts;
  const onFailure = (error: unknown): void => {
    if (isStale(error)) fail(error);
  };
  const noteCheckpoint = async (number: number): Promise<void> => {
    if (writer.record.newest_checkpoint === undefined) await record.set(record.status, { newest_checkpoint: number });
  };
  const host = createSessionHost({
    onStored: noteCheckpoint,
    emitsCheckpoint: plan.capabilities.emitsCheckpoint === true,
    work: withNewest(earlier.work, accepted.newest),
    ...{ writer, events, interrupts, questions, usage, activeMs, onFailure },
  });
  bindHost(host, { plan, accepted, usage, events });
  const control = createControlDispatcher({ events, queue: plan.control, attempt });
  for (const message of earlier.undelivered) plan.control.push(message);
  const parts = { journal, events, usage, questions, control, stop, record, recording, host, attempts, rawOutput };
  const confirm = (): Promise<void> => record.set(record.status).catch(onFailure);
  return { ...accepted, ...parts, plan, activeMs, loss, confirm };
}

/** Gives the engine files in which it stores what is too large for events: model calls and output of processes. */
function provideFiles(
  { options, masker, deps, environment }: SessionPlan,
  { writer, attempt }: AcceptedAttempt,
  attempts: AttemptCount,
): Pick<RunningSession, "recording" | "rawOutput"> {
  const { folder, signal } = writer;
  const recording = createRecordingFile(join(folder, RUN_FILES.recording), { masker, continues: attempt > 1, signal });
  deps.set(DEPENDENCY.llmRecorder, recording);
  deps.set(DEPENDENCY.secretSink, createSecretSink(masker));
  const spool = createOutputFiles(folder, { masker, maxBytes: options.maxSpoolBytes, signal });
  deps.set(DEPENDENCY.outputSpool, spool);
  if (options.keepRawOutput !== true) return { recording, rawOutput: undefined };
  const rawOutput = createRawOutput(spool, () => attempts.current);
  deps.set(DEPENDENCY.environment, rawOutput.watch(environmentOfEngine(environment, options)));
  return { recording, rawOutput };
}

/** Connects the engine to the host of the attempt, which enforces the budget of the run and the shared budget. */
function bindHost(
  host: SessionHost,
  { plan, accepted, usage, events }: Pick<RunningSession, "plan" | "usage" | "events"> & { accepted: AcceptedAttempt },
): void {
  const { budget } = plan.options;
  const { sharedBudget } = accepted;
  const earlier = accepted.earlier.usage;
  let bound: Host = host;
  if (budget !== undefined) {
    plan.deps.set(DEPENDENCY.modelBudget, remainingBudgetOf(budget, usage));
    bound = budgetedHost(bound, { budget, earlier, onUnpriced: () => warnOfUnknownCost({ plan, events }) });
  }
  if (sharedBudget !== undefined) {
    plan.deps.set(DEPENDENCY.sharedBudget, sharedBudget);
    bound = sharedBudgetHost(bound, {
      budget: sharedBudget,
      earlier,
      onUnpriced: () => warnOfUnknownCost({ plan, events }),
    });
  }
  plan.base.bind(bound);
}

/**
 * Stops the attempt if the run cannot be stored, or if another writer has taken the run over. See durability promise
 * D6.
 */
function watchWriter(
  writer: RunWriter,
  stop: StopControl,
): { fail: (error: EngineError) => void; loss: () => EngineError | undefined } {
  let loss: EngineError | undefined;
  const fail = (error: EngineError): void => {
    if (isStale(error)) loss ??= error;
    stop.stop("store_failed", error);
  };
  const { runId, epoch, signal } = writer;
  const lose = (): void => fail(new EngineError("store.stale_epoch", { runId, epoch }, { cause: signal.reason }));
  if (signal.aborted) lose();
  else signal.addEventListener("abort", lose, { once: true });
  return { fail, loss: () => loss };
}
