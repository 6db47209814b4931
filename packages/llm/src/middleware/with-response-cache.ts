import { createHash } from "node:crypto";
import { type Client, type ModelRequest, type ModelResponse, NO_USAGE } from "@switchyard/contracts";
import { eventsOfResponse } from "../response/events-of-response.ts";
import { defineClientMiddleware } from "./with-middleware.ts";

/** Limits of the cache. */
export interface ResponseCacheOptions {
  /** Maximum number of responses. The least recently used is evicted first. Default: 100. */
  maxEntries?: number | undefined;
  /**
   * Maximum total size of all cached responses, in characters. A larger response is not cached. Default: 16,777,216.
   */
  maxChars?: number | undefined;
}

interface Entry {
  readonly response: ModelResponse;
  readonly chars: number;
}

/** Responses by request, least recently used first. */
interface ResponseStore {
  get(key: string): ModelResponse | undefined;
  put(key: string, response: ModelResponse): void;
}

function createStore({ maxEntries = 100, maxChars = 16_777_216 }: ResponseCacheOptions): ResponseStore {
  const entries = new Map<string, Entry>();
  let chars = 0;
  function drop(key: string): void {
    chars -= entries.get(key)?.chars ?? 0;
    entries.delete(key);
  }
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.response;
    },
    put(key, response) {
      drop(key);
      const size = JSON.stringify(response).length;
      if (size > maxChars) return;
      entries.set(key, { response, chars: size });
      chars += size;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && chars <= maxChars) return;
        drop(oldest);
      }
    },
  };
}

/** JSON replacer that sorts properties, so that equal requests have equal keys. */
function ordered(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Returns whether a request refers to files, which may change between two calls. */
function namesFile({ messages }: ModelRequest): boolean {
  return messages.some(({ parts }) =>
    parts.some((part) => {
      const images = part.type === "tool_result" ? (part.images ?? []) : [];
      return [part, ...images].some((media) => "path" in media && media.path !== undefined);
    }),
  );
}

/** Returns the cache key of a request. `undefined` if it must not be cached. */
function keyOf(request: ModelRequest): string | undefined {
  if (namesFile(request)) return undefined;
  const { signal: _signal, onRetry: _onRetry, ...keyFields } = request;
  try {
    return createHash("sha256").update(JSON.stringify(keyFields, ordered)).digest("base64");
  } catch {
    return undefined; // cycles and the like: nothing that two requests could be compared by
  }
}

function isWorthKeeping({ finishReason }: ModelResponse): boolean {
  return finishReason.unified === "stop" || finishReason.unified === "tool_calls";
}

/** Returns a cached response without usage, because it used no tokens. */
function cacheable(response: ModelResponse): ModelResponse {
  const { model } = response.usage;
  const usage = { ...NO_USAGE, costMicros: 0, ...(model === undefined ? {} : { model }) };
  return { ...response, usage, warnings: [...response.warnings, "Answered from the cache of responses."] };
}

/**
 * Wraps a client and returns the cached response for an identical request: same provider, model, messages, tools and
 * settings. Failures, truncated responses and requests that refer to files are not cached. The cache is in memory, and
 * limits the number and size of responses. See unified-llm-client: middleware.
 */
export function withResponseCache(client: Client, options: ResponseCacheOptions = {}): Client {
  const store = createStore(options);
  const find = (key: string | undefined, request: ModelRequest): ModelResponse | undefined =>
    key === undefined || request.signal?.aborted ? undefined : store.get(key);
  const put = (key: string | undefined, response: ModelResponse): void => {
    if (key !== undefined && isWorthKeeping(response)) store.put(key, response);
  };
  const layer = defineClientMiddleware({
    async complete(request, next) {
      const key = keyOf(request);
      const known = find(key, request);
      if (known !== undefined) return cacheable(known);
      const response = await next(request);
      put(key, response);
      return response;
    },
    async *stream(request, next) {
      const key = keyOf(request);
      const known = find(key, request);
      if (known !== undefined) {
        yield* eventsOfResponse(cacheable(known));
        return;
      }
      for await (const event of next(request)) {
        if (event.type === "finish") put(key, event.response);
        yield event;
      }
    },
  });
  return layer(client);
}
