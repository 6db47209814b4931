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

/** Number of retries of failures that may be permanent, such as an address that has never responded. */
const DOUBTFUL_RETRIES = 2;

/** Planned retry. */
export interface PlannedRetry {
  /** 1-based number of the failed attempt. */
  readonly attempt: number;
  /** Wait before the next attempt, in milliseconds. */
  readonly delayMs: number;
  /** Total wait of the turn, including this one, in milliseconds. */
  readonly waitedMs: number;
  /** Maximum total wait of the turn, in milliseconds. */
  readonly maxWaitMs: number;
}

/** Dependencies of `TurnRetries`. */
export interface TurnRetriesContext {
  /** Aborts when the session is aborted, which ends retries. */
  readonly signal: AbortSignal;
  /** Whether the server has responded to the session before. */
  readonly isKnown: boolean;
  /** Models of the session. */
  readonly models: ModelFallbacks;
}

/** Retry state of a session's turns: failures and total wait of the current turn. */
export class TurnRetries {
  readonly #options: RetryOptions;
  readonly #policy: FullRetryPolicy;
  readonly #signal: AbortSignal;
  /** Models of the session: the current one and its fallbacks. */
  readonly models: ModelFallbacks;
  #attempt = 1;
  #doubtful = 0;
  #waitedMs = 0;
  /** Random jitter, drawn once per attempt, so that the same failure always gets the same decision. */
  #chance: number;
  /** Whether the server has started a response to any request of the session. */
  #isKnown: boolean;
  #hasPartial = false;

  /** Creates the retry state. `false` disables retries. */
  constructor(options: RetryOptions | false, { signal, isKnown, models }: TurnRetriesContext) {
    this.models = models;
    this.#signal = signal;
    this.#options = options === false ? {} : options;
    this.#policy = toRetryPolicy("turn", options === false ? { maxTotalDelayMs: 0 } : options);
    this.#isKnown = isKnown;
    this.#chance = this.#random();
  }

  /** Records that a response has started. */
  begin(): void {
    this.#isKnown = true;
  }

  /** Records that a response is complete, which resets the wait. */
  succeed(): void {
    this.models.succeed();
    if (this.#attempt > 1) this.#reset();
  }

  /** Records that the response of a failed attempt is discarded, and whether part of it had arrived. */
  discard(hasPartial: boolean): void {
    this.#hasPartial = hasPartial;
  }

  /** Whether part of the discarded response had arrived. */
  get hasPartial(): boolean {
    return this.#hasPartial;
  }

  /** Returns whether the turn is retried after this failure. Bound, so that requests can carry it. */
  readonly isRetried = (error: unknown): boolean =>
    this.plan(error) !== undefined || this.fallbackAfter(error) !== undefined;

  /**
   * Returns the model to call after a failure of the current attempt. `undefined`: the same one. Has no side effects.
   */
  fallbackAfter(error: unknown): FallbackModel | undefined {
    return this.#signal.aborted ? undefined : this.models.after(error, this.plan(error) !== undefined);
  }

  /** Changes the current model. Its server counts as unknown, and its failures start at zero. */
  changeModel(model: FallbackModel): void {
    this.models.changeTo(model);
    this.#isKnown = false;
    this.#doubtful = 0;
    this.#hasPartial = false;
  }

  /**
   * Returns the retry after a failure of the current attempt. `undefined` if the failure is final. Has no side effects.
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

  /** Waits for a planned retry. Rejects when the session is aborted. */
  async wait(planned: PlannedRetry, error: unknown): Promise<void> {
    if (classifyFailure(error, this.#isKnown) === "doubtful") this.#doubtful += 1;
    this.#hasPartial = false;
    this.models.fail();
    this.#attempt += 1;
    this.#waitedMs = planned.waitedMs;
    this.#chance = this.#random();
    await (this.#options.delay ?? waitForRetry)(planned.delayMs, this.#signal);
  }

  /** Records that the turn has failed permanently, so that no outer level retries it again. */
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
