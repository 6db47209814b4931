import {
  type Client,
  EngineError,
  type ErrorCode,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
} from "@switchyard/contracts";
import { isEmptyEvent } from "../retry/is-empty-event.ts";

/** A model that is asked when another one failed: what changes in the request. The rest of it stays, provider included. */
export interface FallbackModel
  extends Pick<ModelRequest, "provider" | "reasoningEffort" | "maxTokens" | "temperature" | "topP"> {
  /** The vendor's own model id. */
  model: string;
}

/** A model that failed, and the one that is asked now. */
export interface FallbackNotice {
  /** What failed. */
  from: { provider: string | undefined; model: string };
  /** What is asked in its place. */
  to: { provider: string | undefined; model: string };
  /** Why. */
  error: unknown;
}

/** When and how another model is asked. */
export interface FallbackOptions {
  /**
   * Whether a failure is worth another model. By default: what may pass (rate limits, server errors, timeouts, broken
   * connections), used-up quotas, and failures that nobody knows; not requests that are invalid, keys that are refused
   * or answers that are withheld.
   */
  isWorthFallback?: ((error: unknown) => boolean) | undefined;
  /**
   * Whether requests for a model that failed go to its fallback from then on, until that one fails too. Default: false,
   * each request begins with its own model.
   */
  isSticky?: boolean | undefined;
  /** Told of every model that is asked in place of another. */
  onFallback?: ((notice: FallbackNotice) => void) | undefined;
}

const WORTH: ReadonlySet<ErrorCode> = new Set(["llm.quota_exceeded", "llm.answer_too_large"]);

function isWorthFallback(error: unknown): boolean {
  return EngineError.is(error) ? error.retryable || WORTH.has(error.code) : true;
}

/** What the calls of one client share. */
interface Fallbacks {
  readonly models: readonly FallbackModel[];
  readonly options: FallbackOptions;
  /** Index of the request to begin with, by the model that is asked for; where it is not the first. */
  readonly places: Map<string, number>;
}

function nameOf({ provider, model }: ModelRequest): string {
  return provider === undefined ? model : `${provider}/${model}`;
}

/** The calls that are made one after the other: the request as it is, then with each of the models. */
class Attempts {
  readonly #requests: readonly ModelRequest[];
  readonly #options: FallbackOptions;
  readonly #warnings: string[] = [];
  readonly #places: Map<string, number>;
  readonly #name: string;
  #index: number;

  constructor(request: ModelRequest, { models, options, places }: Fallbacks) {
    this.#requests = [request, ...models.map((model) => ({ ...request, ...model }))];
    this.#options = options;
    this.#places = places;
    this.#name = nameOf(request);
    this.#index = places.get(this.#name) ?? 0;
  }

  get request(): ModelRequest {
    const request = this.#requests[this.#index];
    if (request === undefined) throw new EngineError("config.invalid", { field: "models", problem: "none is left" });
    return request;
  }

  /** Goes on to the next model, or throws the failure when there is none or it is not worth one. */
  next(error: unknown): void {
    const { isWorthFallback: isWorth = isWorthFallback, onFallback } = this.#options;
    const from = this.request;
    const to = this.#requests[this.#index + 1];
    if (to === undefined) this.#places.delete(this.#name);
    if (to === undefined || from.signal?.aborted || !isWorth(error)) throw error;
    const reason = EngineError.is(error) ? error.code : "an unknown failure";
    this.#warnings.push(`${nameOf(from)} failed (${reason}); ${nameOf(to)} was asked in its place.`);
    onFallback?.({
      from: { provider: from.provider, model: from.model },
      to: { provider: to.provider, model: to.model },
      error,
    });
    this.#index += 1;
    if (this.#options.isSticky === true) this.#places.set(this.#name, this.#index);
  }

  /** The answer, with what went before it. */
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
    // Announcements wait for the first piece of the answer, so that another model does not repeat them.
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
 * A client that asks other models, in order, when the one of the request fails in a way that is worth it; never after
 * a part of a streamed answer was delivered. The answer's warnings and `onFallback` say so. Thinking of another
 * provider or model stays out of the request, as always. Put retries below it: `withFallback(withRetry(client), …)`.
 */
export function withFallback(client: Client, models: readonly FallbackModel[], options: FallbackOptions = {}): Client {
  const fallbacks: Fallbacks = { models, options, places: new Map() };
  return {
    complete: (request) => complete(client, new Attempts(request, fallbacks)),
    stream: (request) => ({
      [Symbol.asyncIterator]: () => stream(client, new Attempts(request, fallbacks)),
    }),
    close: () => client.close(),
  };
}
