import {
  type Client,
  EngineError,
  type ErrorCode,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
} from "@switchyard/contracts";
import { isEmptyEvent } from "../retry/is-empty-event.ts";

/**
 * A fallback model, with the request settings that change when it is used. All other settings of the request stay the
 * same, including the provider if none is given.
 */
export interface FallbackModel
  extends Pick<ModelRequest, "provider" | "reasoningEffort" | "maxTokens" | "temperature" | "topP"> {
  /** The vendor's own model id. */
  model: string;
}

/** Notice that a model failed, and which fallback model is used instead. */
export interface FallbackNotice {
  /** Model that failed. */
  from: { provider: string | undefined; model: string };
  /** Fallback model that is used instead of the failed model. */
  to: { provider: string | undefined; model: string };
  /** Failure of the model that is replaced. */
  error: unknown;
}

/** Options for fallbacks. */
export interface FallbackOptions {
  /**
   * Returns whether a failure justifies a fallback. Default: transient failures (rate limits, server errors, timeouts,
   * broken connections), exhausted quotas, and unknown failures; not invalid requests, rejected keys or blocked
   * responses.
   */
  isWorthFallback?: ((error: unknown) => boolean) | undefined;
  /**
   * True: after a model has failed, later requests for it use the fallback, until the fallback fails too. False: each
   * request first tries the requested model. Default: false.
   */
  isSticky?: boolean | undefined;
  /** Called for each fallback. */
  onFallback?: ((notice: FallbackNotice) => void) | undefined;
}

const WORTH: ReadonlySet<ErrorCode> = new Set(["llm.quota_exceeded", "llm.answer_too_large"]);

function isWorthFallback(error: unknown): boolean {
  return EngineError.is(error) ? error.retryable || WORTH.has(error.code) : true;
}

/** State shared by the calls of one client. */
interface Fallbacks {
  readonly models: readonly FallbackModel[];
  readonly options: FallbackOptions;
  /**
   * 1-based position, in `models`, of the fallback model that receives new requests for a requested model. Keys are
   * names of requested models. Without an entry, new requests go to the requested model.
   */
  readonly startIndexes: Map<string, number>;
}

function nameOf({ provider, model }: ModelRequest): string {
  return provider === undefined ? model : `${provider}/${model}`;
}

/** Consecutive attempts of a call: the original request, then each fallback model. */
class Attempts {
  readonly #requests: readonly ModelRequest[];
  readonly #options: FallbackOptions;
  readonly #warnings: string[] = [];
  readonly #startIndexes: Map<string, number>;
  readonly #name: string;
  #index: number;

  constructor(request: ModelRequest, { models, options, startIndexes }: Fallbacks) {
    this.#requests = [request, ...models.map((model) => ({ ...request, ...model }))];
    this.#options = options;
    this.#startIndexes = startIndexes;
    this.#name = nameOf(request);
    this.#index = startIndexes.get(this.#name) ?? 0;
  }

  get request(): ModelRequest {
    const request = this.#requests[this.#index];
    if (request === undefined)
      throw new EngineError("config.invalid", { field: "models", problem: "no model is left" });
    return request;
  }

  /** Switches to the next model, or throws the failure if there is none or a fallback is not justified. */
  next(error: unknown): void {
    const { isWorthFallback: isWorth = isWorthFallback, onFallback } = this.#options;
    const from = this.request;
    const to = this.#requests[this.#index + 1];
    if (to === undefined) this.#startIndexes.delete(this.#name);
    if (to === undefined || from.signal?.aborted || !isWorth(error)) throw error;
    const reason = EngineError.is(error) ? error.code : "an unknown failure";
    this.#warnings.push(`${nameOf(from)} failed (${reason}); ${nameOf(to)} was asked in its place.`);
    onFallback?.({
      from: { provider: from.provider, model: from.model },
      to: { provider: to.provider, model: to.model },
      error,
    });
    this.#index += 1;
    if (this.#options.isSticky === true) this.#startIndexes.set(this.#name, this.#index);
  }

  /** Returns the response with warnings about earlier failures. */
  finish(response: ModelResponse): ModelResponse {
    if (this.#warnings.length === 0) return response;
    return { ...response, warnings: [...this.#warnings, ...response.warnings] };
  }
}

async function complete(client: Client, attempts: Attempts): Promise<ModelResponse> {
  for (;;) {
    try {
      return attempts.finish(await client.complete(attempts.request));
    } catch (error) {
      attempts.next(error);
    }
  }
}

async function* stream(client: Client, attempts: Attempts): AsyncGenerator<StreamEvent, void, undefined> {
  for (;;) {
    // Events that only announce content are held back until content arrives.
    // Otherwise a fallback model would emit them a second time.
    let held: StreamEvent[] | undefined = [];
    try {
      for await (const event of client.stream(attempts.request)) {
        if (held !== undefined && isEmptyEvent(event)) {
          held.push(event);
          continue;
        }
        if (held !== undefined) {
          const announced: StreamEvent[] = held;
          held = undefined;
          yield* announced;
        }
        yield event.type === "finish" ? { ...event, response: attempts.finish(event.response) } : event;
      }
      if (held !== undefined) yield* held;
      return;
    } catch (error) {
      if (held === undefined) throw error; // a part of the answer was delivered
      attempts.next(error);
    }
  }
}

/**
 * Wraps a client so that failed requests are sent to fallback models, in order, if the failure justifies it. There is
 * no fallback after part of a streamed response was delivered. A switch is reported by a warning in the response and by
 * `onFallback`. Reasoning of another provider or model is never sent. Apply it outside retries:
 * `withFallback(withRetry(client), …)`.
 */
export function withFallback(client: Client, models: readonly FallbackModel[], options: FallbackOptions = {}): Client {
  const fallbacks: Fallbacks = { models, options, startIndexes: new Map() };
  return {
    complete: (request) => complete(client, new Attempts(request, fallbacks)),
    stream: (request) => ({
      [Symbol.asyncIterator]: () => stream(client, new Attempts(request, fallbacks)),
    }),
    close: () => client.close(),
  };
}
