import {
  type Client,
  EngineError,
  type FullRetryPolicy,
  type ModelRequest,
  type ModelResponse,
  markRetriesExhausted,
  type RetryOptions,
  retryDelayMs,
  type StreamEvent,
  toRetryPolicy,
  waitForRetry,
} from "@switchyard/contracts";
import { isEmptyEvent } from "./is-empty-event.ts";
import { createOutputLimits, type OutputLimits } from "./output-limits.ts";

function aborted(request: ModelRequest, cause: unknown): EngineError {
  return new EngineError("llm.aborted", { provider: request.provider }, { cause });
}

/** Returns whether a retry may succeed. Unknown failures are retried. */
function isRetryable(error: unknown): boolean {
  return EngineError.is(error) ? error.retryable : true;
}

/** State shared by the calls of one client. */
interface Retrying {
  readonly client: Client;
  readonly policy: FullRetryPolicy;
  readonly options: RetryOptions;
  readonly limits: OutputLimits;
}

/** State of one model call that may be attempted several times. */
class RetriedCall {
  readonly #retrying: Retrying;
  /** Model request of the next attempt. */
  #request: ModelRequest;
  #attempt = 1;
  #waitedMs = 0;
  #wasLowered = false;
  /**
   * Random number for the jitter of the delay. It is drawn once per attempt, so that the delay stays the same if it is
   * computed repeatedly.
   */
  #chance: number;
  /** True if part of the response was delivered to the consumer. The call is then not retried. */
  isDelivered = false;

  constructor(request: ModelRequest, retrying: Retrying) {
    this.#request = retrying.limits.apply(request);
    this.#retrying = retrying;
    this.#chance = this.#random();
  }

  /**
   * Request of the next attempt. Its function `isRetried` returns whether this call is retried after a failure.
   * `withRecorder` uses the function to leave out attempts that are retried.
   */
  get request(): ModelRequest {
    const request = this.#request;
    const isRetried = (error: unknown): boolean =>
      this.#delayMs(error) !== undefined || request.isRetried?.(error) === true;
    return { ...request, isRetried };
  }

  /** Waits before the next attempt, or throws the failure if there is none. */
  async prepareNext(failure: unknown): Promise<void> {
    const request = this.#request;
    const lowered = this.#lowered(failure);
    const delayMs = lowered === undefined ? this.#delayMs(failure) : 0;
    if (delayMs === undefined) {
      if (this.#attempt > 1 && isRetryable(failure)) markRetriesExhausted(failure);
      throw failure;
    }
    const error = failure instanceof Error ? failure : new Error(String(failure));
    request.onRetry?.({ attempt: this.#attempt, delayMs, error });
    if (lowered === undefined) return await this.#wait(delayMs);
    this.#wasLowered = true;
    this.#request = lowered;
  }

  async #wait(delayMs: number): Promise<void> {
    const request = this.#request;
    this.#attempt += 1;
    this.#waitedMs += delayMs;
    this.#chance = this.#random();
    try {
      await (this.#retrying.options.delay ?? waitForRetry)(delayMs, request.signal);
    } catch (cause) {
      throw aborted(request, cause);
    }
    if (request.signal?.aborted) throw aborted(request, request.signal.reason);
  }

  #lowered(failure: unknown): ModelRequest | undefined {
    if (this.#request.signal?.aborted === true || this.#wasLowered) return undefined;
    return this.#retrying.limits.lower(this.#request, failure);
  }

  #delayMs(failure: unknown): number | undefined {
    if (this.isDelivered || this.#request.signal?.aborted === true || !isRetryable(failure)) return undefined;
    const facts = { attempt: this.#attempt, waitedMs: this.#waitedMs, random: this.#chance };
    return retryDelayMs(failure, facts, this.#retrying.policy);
  }

  #random(): number {
    return (this.#retrying.options.random ?? Math.random)();
  }
}

async function complete(request: ModelRequest, retrying: Retrying): Promise<ModelResponse> {
  const call = new RetriedCall(request, retrying);
  for (;;) {
    try {
      return await retrying.client.complete(call.request);
    } catch (failure) {
      await call.prepareNext(failure);
    }
  }
}

async function* stream(request: ModelRequest, retrying: Retrying): AsyncGenerator<StreamEvent, void, undefined> {
  const call = new RetriedCall(request, retrying);
  for (;;) {
    // Events that only announce content are held back until content arrives.
    // Otherwise a retry would emit them a second time.
    let held: StreamEvent[] | undefined = [];
    try {
      for await (const event of retrying.client.stream(call.request)) {
        if (held !== undefined && isEmptyEvent(event)) {
          held.push(event);
          continue;
        }
        if (held !== undefined) {
          const announced: StreamEvent[] = held;
          held = undefined;
          call.isDelivered = true;
          yield* announced;
        }
        yield event;
      }
      if (held !== undefined) yield* held;
      return;
    } catch (failure) {
      if (held === undefined) throw failure; // a part of the answer was delivered
      await call.prepareNext(failure);
    }
  }
}

/**
 * Wraps a client and retries failed calls that may succeed. Default: 2 retries, 1 s initial delay, doubling, ±50 %
 * jitter, at most 60 s. The provider's `Retry-After` is honoured; if it exceeds the maximum, the call fails
 * immediately. There is no retry after part of a streamed response was delivered. `request.onRetry` is called before
 * each retry. A `maxTokens` above the limit named by the provider is lowered, once per call and without delay, and the
 * limit is stored for later calls. See unified-llm-client: withRetry.
 */
export function withRetry(client: Client, options: RetryOptions = {}): Client {
  const retrying: Retrying = { client, policy: toRetryPolicy("call", options), options, limits: createOutputLimits() };
  return {
    complete: (request) => complete(request, retrying),
    stream: (request) => ({ [Symbol.asyncIterator]: () => stream(request, retrying) }),
    close: () => client.close(),
  };
}
