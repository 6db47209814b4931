import {
  type Client,
  EngineError,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
} from "@switchyard/contracts";
import { announces } from "./announces.ts";
import { type RetryOptions, type RetryPolicy, retryDelayMs, toRetryPolicy } from "./retry-policy.ts";

function aborted(request: ModelRequest, cause: unknown): EngineError {
  return new EngineError("llm.aborted", { provider: request.provider }, { cause });
}

/** Waits before the next attempt, or throws the failure when there is to be none. */
async function beforeRetry(
  failure: unknown,
  attempt: number,
  call: { request: ModelRequest; policy: RetryPolicy },
): Promise<void> {
  const { request, policy } = call;
  const delayMs = request.signal?.aborted ? undefined : retryDelayMs(failure, attempt, policy);
  if (delayMs === undefined) throw failure;
  request.onRetry?.({ attempt, delayMs, error: failure instanceof Error ? failure : new Error(String(failure)) });
  try {
    await policy.delay(delayMs, request.signal);
  } catch (error) {
    throw aborted(request, error);
  }
  if (request.signal?.aborted) throw aborted(request, request.signal.reason);
}

async function complete(client: Client, request: ModelRequest, policy: RetryPolicy): Promise<ModelResponse> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client.complete(request);
    } catch (failure) {
      await beforeRetry(failure, attempt, { request, policy });
    }
  }
}

async function* stream(
  client: Client,
  request: ModelRequest,
  policy: RetryPolicy,
): AsyncGenerator<StreamEvent, void, undefined> {
  for (let attempt = 1; ; attempt += 1) {
    // Announcements wait for the first piece of the answer, so that a retry does not repeat them.
    let held: StreamEvent[] | undefined = [];
    try {
      for await (const event of client.stream(request)) {
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
      await beforeRetry(failure, attempt, { request, policy });
    }
  }
}

/**
 * A client that makes a failed call again when that may help: 2 retries, 1 s doubling, ±50 % jitter, at most 60 s by
 * default. What the provider asks for by `Retry-After` is honoured, and raised at once when it is longer than the cap.
 * Never after a part of a streamed answer was delivered. Each retry is told to `request.onRetry` first.
 * unified-llm-client: withRetry.
 */
export function withRetry(client: Client, options: RetryOptions = {}): Client {
  const policy = toRetryPolicy(options);
  return {
    complete: (request) => complete(client, request, policy),
    stream: (request) => ({ [Symbol.asyncIterator]: () => stream(client, request, policy) }),
    close: () => client.close(),
  };
}
