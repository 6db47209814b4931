import {
  areRetriesExhausted,
  type FullRetryPolicy,
  markRetriesExhausted,
  type RetryOptions,
  retryDelayMs,
  toRetryPolicy,
  waitForRetry,
} from "@switchyard/contracts";
import { classifyFailure } from "./classify-failure.ts";
import type { FallbackModel, ModelFallbacks } from "./model-fallbacks.ts";

/** Maximum number of retries of `doubtful` failures, such as an address that has never responded. */
const DOUBTFUL_RETRIES = 2;

/** A planned retry of a turn. */
export interface PlannedRetry {
  /** 1-based number of the failed attempt. */
  readonly attempt: number;
  /** Wait before the next attempt, in milliseconds. */
  readonly delayMs: number;
  /** Total wait before all retries of the turn so far, including this retry, in milliseconds. */
  readonly waitedMs: number;
  /** Maximum total wait of the turn, in milliseconds. */
  readonly maxWaitMs: number;
}

/** Session state that `TurnRetries` uses. */
export interface TurnRetriesContext {
  /** Aborts when the session is aborted, which ends all retries. */
  readonly signal: AbortSignal;
  /** True if the server has responded to the session before. */
  readonly isKnown: boolean;
  /** The session's model and its fallbacks. */
  readonly models: ModelFallbacks;
}

/** Tracks the retries of a session's turns: attempts and total wait of the current turn. */
export class TurnRetries {
  readonly #options: RetryOptions;
  readonly #policy: FullRetryPolicy;
  readonly #signal: AbortSignal;
  /** The session's model and its fallbacks. */
  readonly models: ModelFallbacks;
  #attempt = 1;
  #doubtful = 0;
  #waitedMs = 0;
  /**
   * Random number for the jitter of the retry delay. Drawn once per attempt, so that repeated queries about one failure
   * return the same retry plan.
   */
  #chance: number;
  /** True if the server has started a response to any request of the session. */
  #isKnown: boolean;
  #hasPartial = false;

  /** Creates the retry state. `false` as `options` disables retries. */
  constructor(options: RetryOptions | false, { signal, isKnown, models }: TurnRetriesContext) {
    this.models = models;
    this.#signal = signal;
    this.#options = options === false ? {} : options;
    this.#policy = toRetryPolicy("turn", options === false ? { maxTotalDelayMs: 0 } : options);
    this.#isKnown = isKnown;
    this.#chance = this.#random();
  }

  /** Called when a response has started. */
  begin(): void {
    this.#isKnown = true;
  }

  /** Called when a response is complete. Resets attempts and wait. */
  succeed(): void {
    this.models.succeed();
    if (this.#attempt > 1) this.#reset();
  }

  /** Called when a failed attempt's response was discarded. `hasPartial` is true if part of it had already arrived. */
  discard(hasPartial: boolean): void {
    this.#hasPartial = hasPartial;
  }

  /** True if part of the discarded response had arrived. */
  get hasPartial(): boolean {
    return this.#hasPartial;
  }

  /**
   * Returns whether the turn is retried after a failure. An arrow function, because it is passed on and called without
   * its object.
   */
  readonly isRetried = (error: unknown): boolean =>
    this.plan(error) !== undefined || this.fallbackAfter(error) !== undefined;

  /**
   * Returns the model to call after a failure of the current attempt. `undefined`: the same model. Has no side effects.
   */
  fallbackAfter(error: unknown): FallbackModel | undefined {
    return this.#signal.aborted ? undefined : this.models.after(error, this.plan(error) !== undefined);
  }

  /**
   * Switches to another model and resets the count of failures. The server of that model counts as one that has never
   * responded.
   */
  changeModel(model: FallbackModel): void {
    this.models.changeTo(model);
    this.#isKnown = false;
    this.#doubtful = 0;
    this.#hasPartial = false;
  }

  /**
   * Returns the planned retry after a failure of the current attempt. `undefined` if the turn is not retried. Has no
   * side effects.
   */
  plan(error: unknown): PlannedRetry | undefined {
    if (this.#signal.aborted) return undefined;
    if (areRetriesExhausted(error) && !this.#policy.retriesExhausted) return undefined;
    const prospect = classifyFailure(error, this.#isKnown);
    if (prospect === "permanent" || (prospect === "doubtful" && this.#doubtful >= DOUBTFUL_RETRIES)) return undefined;
    const facts = { attempt: this.#attempt, waitedMs: this.#waitedMs, random: this.#chance };
    const delayMs = retryDelayMs(error, facts, this.#policy);
    if (delayMs === undefined) return undefined;
    const { maxTotalDelayMs: maxWaitMs } = this.#policy;
    return { attempt: this.#attempt, delayMs, waitedMs: this.#waitedMs + delayMs, maxWaitMs };
  }

  /** Waits for a planned retry. Rejects if the session is aborted. */
  async wait(planned: PlannedRetry, error: unknown): Promise<void> {
    if (classifyFailure(error, this.#isKnown) === "doubtful") this.#doubtful += 1;
    this.#hasPartial = false;
    this.models.fail();
    this.#attempt += 1;
    this.#waitedMs = planned.waitedMs;
    this.#chance = this.#random();
    await (this.#options.delay ?? waitForRetry)(planned.delayMs, this.#signal);
  }

  /** Called when the turn failed permanently. Marks the error, so that the caller of the turn does not retry it. */
  giveUp(error: unknown): void {
    if (this.#attempt > 1 && classifyFailure(error, this.#isKnown) !== "permanent") markRetriesExhausted(error);
    this.#reset();
  }

  #reset(): void {
    this.#attempt = 1;
    this.#doubtful = 0;
    this.#waitedMs = 0;
  }

  #random(): number {
    return (this.#options.random ?? Math.random)();
  }
}
