import {
  type Client,
  EngineError,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
} from "@switchyard/contracts";
import { announces } from "./announces.ts";
import { createOutputLimits, type OutputLimits } from "./output-limits.ts";
import { type RetryOptions, type RetryPolicy, retryDelayMs, toRetryPolicy } from "./retry-policy.ts";

function aborted(request: ModelRequest, cause: unknown): EngineError {
  return new EngineError("llm.aborted", { provider: request.provider }, { cause });
}

/** What the calls of one client share. */
interface Retrying {
  readonly client: Client;
  readonly policy: RetryPolicy;
  readonly limits: OutputLimits;
}

/** One call and its attempts so far. */
class RetriedCall {
  /** The request of the next attempt. */
  request: ModelRequest;
  readonly #retrying: Retrying;
  #attempt = 1;
  #wasLowered = false;

  constructor(request: ModelRequest, retrying: Retrying) {
    this.request = retrying.limits.apply(request);
    this.#retrying = retrying;
  }

  /** Waits before the next attempt, or throws the failure if there is to be none. */
  async prepareNext(failure: unknown): Promise<void> {
    const { request } = this;
    const { policy, limits } = this.#retrying;
    const isLive = request.signal?.aborted !== true;
    const lowered = isLive && !this.#wasLowered ? limits.lower(request, failure) : undefined;
    const delayMs = isLive && lowered === undefined ? retryDelayMs(failure, this.#attempt, policy) : 0;
    if (!isLive || delayMs === undefined) throw failure;
    const error = failure instanceof Error ? failure : new Error(String(failure));
    request.onRetry?.({ attempt: this.#attempt, delayMs, error });
    if (lowered !== undefined) {
      this.#wasLowered = true;
      this.request = lowered;
      return;
    }
    this.#attempt += 1;
    try {
      await policy.delay(delayMs, request.signal);
    } catch (cause) {
      throw aborted(request, cause);
    }
    if (request.signal?.aborted) throw aborted(request, request.signal.reason);
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
    // Announcements wait for the first piece of the answer, so that a retry does not repeat them.
    let held: StreamEvent[] | undefined = [];
    try {
      for await (const event of retrying.client.stream(call.request)) {
        if (held !== undefined && announces(event)) {
          held.push(event);
          continue;
        }
        if (held !== undefined) {
          const announced: StreamEvent[] = held;
          held = undefined;
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
 * A client that makes a failed call again when that may help: 2 retries, 1 s doubling, ±50 % jitter, at most 60 s by
 * default. What the provider asks for by `Retry-After` is honoured, and raised at once when it is longer than the cap.
 * Never after a part of a streamed answer was delivered. Each retry is told to `request.onRetry` first. A `maxTokens`
 * beyond the limit that the provider names is lowered to it, once per call and without a wait, and the limit is
 * remembered for the calls that follow. unified-llm-client: withRetry.
 */
export function withRetry(client: Client, options: RetryOptions = {}): Client {
  const retrying: Retrying = { client, policy: toRetryPolicy(options), limits: createOutputLimits() };
  return {
    complete: (request) => complete(request, retrying),
    stream: (request) => ({ [Symbol.asyncIterator]: () => stream(request, retrying) }),
    close: () => client.close(),
  };
}
