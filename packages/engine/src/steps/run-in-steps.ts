import type {
  ControlMessage,
  Envelope,
  SessionInput,
  SessionResult,
  Usage,
  UserReply,
  WireError,
} from "@switchyard/contracts";
import type { StepRunner } from "./create-step-runner.ts";
import type { Step, StepInput, StepQuestion, StepStatus } from "./step-state.ts";

/** Message to a run that is executed in durable steps. */
export type RunSignal =
  | ControlMessage
  | { readonly type: "answer"; readonly prompt_id: string; readonly reply: string | UserReply }
  | { readonly type: "cancel" };

/** Functions of a durable workflow engine, such as DBOS or Restate, that a run uses. */
export interface DurableHost {
  /**
   * Executes a function as a durable step. Contract: the function's result is stored before the promise resolves; a
   * repeated workflow gets the stored result, and the function is not called again. A step without a stored result is
   * executed again. The signal aborts when the workflow is cancelled.
   */
  step<T>(name: string, execute: (signal?: AbortSignal) => Promise<T>): Promise<T>;
  /**
   * Returns the signals that arrived since the last call, each once and in order. With `wait`, waits for at least one.
   * If the workflow is executed again after a crash, each call returns the same signals as before.
   */
  signals(options: { readonly wait: boolean }): Promise<readonly RunSignal[]>;
  /** Waits durably. */
  sleep(delayMs: number): Promise<void>;
  /**
   * Called after each stored step, for example to publish the status and the events. If the workflow is executed again,
   * this function is called again for steps that were stored before.
   */
  onStep?(progress: RunProgress): Promise<void>;
}

/** State of a run after a step, as reported to observers. */
export interface RunProgress {
  /** Id of the run. */
  readonly run_id: string;
  /** Number of steps so far. */
  readonly step: number;
  /** Status of the run. */
  readonly status: StepStatus;
  /** Questions that wait for answers. */
  readonly questions: readonly StepQuestion[];
  /** Events of the step. */
  readonly events: readonly Envelope[];
}

/** Task of a run that is executed in durable steps. */
export interface DurableRunInput extends Pick<StepInput, "prompt"> {
  /** Task with history and limits. Overrides `prompt`. */
  readonly session?: SessionInput | undefined;
}

/** Options of {@link runInSteps}. */
export interface RunInStepsOptions {
  /** Id of the run. Must be the same in each execution of the workflow. */
  readonly runId: string;
  /** Maximum number of attempts (executions of the run), if the engine fails with a retryable error. Default: 3. */
  readonly maxAttempts?: number | undefined;
  /** Wait before the second attempt, in milliseconds. Doubles with each attempt. Default: 1,000. */
  readonly retryDelayMs?: number | undefined;
}

/** Outcome of a run that was executed in durable steps, as JSON data. */
export interface DurableRunOutcome {
  /** Id of the run. */
  readonly run_id: string;
  /** Final status: `completed`, `failed`, `interrupted` or `cancelled`. */
  readonly status: StepStatus;
  /** Number of steps. */
  readonly steps: number;
  /** Usage of all steps. */
  readonly usage: Usage;
  /** Result of the run. `undefined` if there is none. */
  readonly result?: SessionResult | undefined;
  /** Error of a run that did not complete. */
  readonly error?: WireError | undefined;
}

const MAX_ATTEMPTS = 3;
const RETRY_DELAY_MS = 1_000;

function inputOf(signals: readonly RunSignal[]): Pick<StepInput, "answers" | "messages"> & { isCancelled: boolean } {
  const answers = signals.flatMap((signal) => (signal.type === "answer" ? [[signal.prompt_id, signal.reply]] : []));
  const messages = signals.flatMap((signal) =>
    signal.type === "steer" || signal.type === "follow_up" ? [signal] : [],
  );
  return {
    answers: Object.fromEntries(answers),
    messages,
    isCancelled: signals.some(({ type }) => type === "cancel"),
  };
}

/**
 * Executes one step. Its claim (the permission to start effects) is stored as a step of its own, before the step that
 * uses it.
 */
async function advanceDurably(
  { runner, host }: { runner: StepRunner; host: DurableHost },
  last: Step | undefined,
  input: StepInput & { isCancelled: boolean },
): Promise<Step> {
  const number = (last?.state.step ?? 0) + 1;
  const claim = last?.needsClaim ? await host.step(`claim ${number}`, async () => runner.claim()) : undefined;
  return host.step(`step ${number}`, (signal) => {
    const { isCancelled, ...given } = input;
    return runner.advance(last?.state, { ...given, claim, signal: isCancelled ? AbortSignal.abort() : signal });
  });
}

/**
 * Executes a run as durable steps of a workflow, until the run ends. Each step of the run is a step of the workflow; a
 * claim (the permission to start effects) is a step before it. If the workflow is repeated, the run continues after its
 * last stored step, and no `unsafe` effect is executed twice. The workflow waits without a process while a question
 * waits for its answer.
 *
 * An engine failure with a retryable error is retried from the last checkpoint. Rejects only with the errors of
 * `advance` and of the host.
 */
export async function runInSteps(
  runner: StepRunner,
  host: DurableHost,
  options: RunInStepsOptions & DurableRunInput,
): Promise<DurableRunOutcome> {
  const { runId, prompt, session, maxAttempts = MAX_ATTEMPTS, retryDelayMs = RETRY_DELAY_MS } = options;
  let step: Step | undefined;
  for (;;) {
    const signals = await host.signals({ wait: step?.status === "waiting" });
    step = await advanceDurably({ runner, host }, step, { runId, prompt, session, ...inputOf(signals) });
    const { state, status, questions, events } = step;
    await host.onStep?.({ run_id: state.run_id, step: state.step, status, questions, events });
    if (status === "working" || status === "waiting") continue;
    if (status !== "failed" || step.error?.retryable !== true || state.attempt >= maxAttempts) return outcomeOf(step);
    await host.sleep(retryDelayMs * 2 ** (state.attempt - 1));
  }
}

function outcomeOf({ state, status, result, error }: Step): DurableRunOutcome {
  return {
    ...{ run_id: state.run_id, status, steps: state.step, usage: state.usage },
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
  };
}
