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

/** Retries of a failure that may never pass, such as an address at which nothing has answered yet. */
const DOUBTFUL_RETRIES = 2;

/** A retry that is due. */
export interface PlannedRetry {
  /** 1-based number of the attempt that failed. */
  readonly attempt: number;
  /** The wait before the next one, in milliseconds. */
  readonly delayMs: number;
  /** Total wait of the turn, this one included, in milliseconds. */
  readonly waitedMs: number;
  /** Longest total wait of the turn, in milliseconds. */
  readonly maxWaitMs: number;
}

/** What the retries of a session depend on besides their policy. */
export interface TurnRetriesContext {
  /** Fires when the session is aborted: nothing is retried then. */
  readonly signal: AbortSignal;
  /** Whether the server has answered the session before. */
  readonly isKnown: boolean;
  /** The models of the session. */
  readonly models: ModelFallbacks;
}

/** The retries of the turns of a session: how often the current one has failed, and how long was waited for it. */
export class TurnRetries {
  readonly #options: RetryOptions;
  readonly #policy: FullRetryPolicy;
  readonly #signal: AbortSignal;
  /** The models of the session: the current one, and those that are called when it fails. */
  readonly models: ModelFallbacks;
  #attempt = 1;
  #doubtful = 0;
  #waitedMs = 0;
  /** Drawn once an attempt, so that the same failure always gets the same answer. */
  #chance: number;
  /** Whether the server has begun to answer any request of the session. */
  #isKnown: boolean;
  #hasPartial = false;

  /** Makes the retries of a session; `false` switches them off. */
  constructor(options: RetryOptions | false, { signal, isKnown, models }: TurnRetriesContext) {
    this.models = models;
    this.#signal = signal;
    this.#options = options === false ? {} : options;
    this.#policy = toRetryPolicy("turn", options === false ? { maxTotalDelayMs: 0 } : options);
    this.#isKnown = isKnown;
    this.#chance = this.#random();
  }

  /** Notes that a response has begun. */
  begin(): void {
    this.#isKnown = true;
  }

  /** Notes that a response is complete: the next turn has the whole wait. */
  succeed(): void {
    this.models.succeed();
    if (this.#attempt > 1) this.#reset();
  }

  /** Notes that the response of a failed attempt is discarded, and whether a part of it had arrived. */
  discard(hasPartial: boolean): void {
    this.#hasPartial = hasPartial;
  }

  /** Whether a part of the discarded response had arrived. */
  get hasPartial(): boolean {
    return this.#hasPartial;
  }

  /** Whether the turn is attempted again after this failure. Bound, so that requests can carry it. */
  readonly isRetried = (error: unknown): boolean =>
    this.plan(error) !== undefined || this.fallbackAfter(error) !== undefined;

  /** The model to call after a failure of the current attempt; `undefined` to stay with the same. Changes nothing. */
  fallbackAfter(error: unknown): FallbackModel | undefined {
    return this.#signal.aborted ? undefined : this.models.after(error, this.plan(error) !== undefined);
  }

  /** Calls another model from now on: nothing is known of its server, and no failure counts against it. */
  changeModel(model: FallbackModel): void {
    this.models.changeTo(model);
    this.#isKnown = false;
    this.#doubtful = 0;
    this.#hasPartial = false;
  }

  /** The retry after a failure of the current attempt; `undefined` if it is final. Changes nothing. */
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

  /** Waits for a planned retry; rejects as soon as the session is aborted. */
  async wait(planned: PlannedRetry, error: unknown): Promise<void> {
    if (classifyFailure(error, this.#isKnown) === "doubtful") this.#doubtful += 1;
    this.#hasPartial = false;
    this.models.fail();
    this.#attempt += 1;
    this.#waitedMs = planned.waitedMs;
    this.#chance = this.#random();
    await (this.#options.delay ?? waitForRetry)(planned.delayMs, this.#signal);
  }

  /** Notes that the turn has failed for good: no level above starts over what was retried to its end. */
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
