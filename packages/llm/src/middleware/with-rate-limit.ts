import {
  type Client,
  EngineError,
  type ModelRequest,
  type ModelResponse,
  type Part,
  type Usage,
} from "@switchyard/contracts";
import { type Schedule, scheduleTimer } from "../call/schedule.ts";
import { createRateWindow, type RateWindow } from "./rate-window.ts";
import { defineClientMiddleware } from "./with-middleware.ts";

/** Rate limits of a client. `undefined`: unlimited. */
export interface RateLimitOptions {
  /** Maximum number of requests started in any minute. */
  requestsPerMinute?: number | undefined;
  /**
   * Maximum number of input and output tokens in any minute. Until its response arrives, a request counts with an
   * estimated number of tokens.
   */
  tokensPerMinute?: number | undefined;
  /** Maximum number of concurrent requests. */
  maxConcurrency?: number | undefined;
  /** Estimates the tokens of a request. Default: a quarter of its characters. */
  estimateTokens?: ((request: ModelRequest) => number) | undefined;
  /** Returns the time in milliseconds. Default: a monotonic clock. */
  now?: (() => number) | undefined;
  /** Timers for waiting requests. Default: the process's timers. */
  schedule?: Schedule | undefined;
}

/** Must be called when an admitted request has ended, with its actual usage. Another request can then start. */
type Admitted = (usage: Usage | undefined) => void;

interface Waiting {
  readonly tokens: number;
  readonly admit: (admitted: Admitted) => void;
}

/** Number of characters that an image or other file is assumed to have in the token estimate. */
const FILE_CHARS = 6000;

function charsOf(part: Part): number {
  switch (part.type) {
    case "text":
    case "thinking":
      return part.text.length;
    case "tool_call":
      return part.arguments.length;
    case "tool_result":
      return part.content.length + FILE_CHARS * (part.images?.length ?? 0);
    case "image":
    case "audio":
    case "document":
      return FILE_CHARS;
    default:
      return 0;
  }
}

function estimate({ messages, tools = [] }: ModelRequest): number {
  let chars = JSON.stringify(tools).length;
  for (const { parts } of messages) for (const part of parts) chars += charsOf(part);
  return Math.ceil(chars / 4);
}

/** Admits requests in order of arrival, within the limits. */
class Gate {
  readonly #options: RateLimitOptions;
  readonly #queue: Waiting[] = [];
  readonly #requests: RateWindow | undefined;
  readonly #tokens: RateWindow | undefined;
  readonly #now: () => number;
  #active = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(options: RateLimitOptions) {
    const { requestsPerMinute, tokensPerMinute } = options;
    this.#options = options;
    this.#requests = requestsPerMinute === undefined ? undefined : createRateWindow(requestsPerMinute);
    this.#tokens = tokensPerMinute === undefined ? undefined : createRateWindow(tokensPerMinute);
    this.#now = options.now ?? (() => performance.now());
  }

  enter(request: ModelRequest): Promise<Admitted> {
    const { signal, provider } = request;
    const aborted = (): EngineError => new EngineError("llm.aborted", { provider }, { cause: signal?.reason });
    if (signal?.aborted) return Promise.reject(aborted());
    const tokens = this.#tokens === undefined ? 0 : (this.#options.estimateTokens ?? estimate)(request);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        tokens,
        admit: (admitted) => {
          signal?.removeEventListener("abort", release);
          resolve(admitted);
        },
      };
      const release = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(aborted());
        this.#pump();
      };
      signal?.addEventListener("abort", release, { once: true });
      this.#queue.push(waiting);
      this.#pump();
    });
  }

  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { maxConcurrency = Number.POSITIVE_INFINITY, schedule = scheduleTimer } = this.#options;
    for (let next = this.#queue[0]; next !== undefined && this.#active < maxConcurrency; next = this.#queue[0]) {
      const nowMs = this.#now();
      const atMs = Math.max(
        this.#requests?.fitsAt(1, nowMs) ?? nowMs,
        this.#tokens?.fitsAt(next.tokens, nowMs) ?? nowMs,
      );
      if (atMs > nowMs) {
        this.#cancelTimer = schedule(() => this.#pump(), Math.ceil(atMs - nowMs));
        return;
      }
      this.#queue.shift();
      next.admit(this.#begin(next.tokens, nowMs));
    }
  }

  #begin(tokens: number, nowMs: number): Admitted {
    this.#active += 1;
    this.#requests?.spend(1, nowMs);
    const count = this.#tokens?.spend(tokens, nowMs);
    return (usage) => {
      this.#active -= 1;
      if (usage !== undefined && usage.totalTokens > 0) count?.(usage.totalTokens);
      this.#pump();
    };
  }
}

function assertLimits({ requestsPerMinute, tokensPerMinute, maxConcurrency }: RateLimitOptions): void {
  for (const [field, limit] of Object.entries({ requestsPerMinute, tokensPerMinute, maxConcurrency })) {
    if (limit === undefined || limit >= 1) continue;
    throw new EngineError("config.invalid", { field, problem: `a limit of ${limit} would allow no requests` });
  }
}

/**
 * Wraps a client and enforces limits on requests and tokens per minute and on concurrent calls. Calls wait in order of
 * arrival; aborting a waiting call rejects it with `llm.aborted`. See unified-llm-client: middleware.
 */
export function withRateLimit(client: Client, options: RateLimitOptions): Client {
  assertLimits(options);
  const gate = new Gate(options);
  const layer = defineClientMiddleware({
    async complete(request, next) {
      const done = await gate.enter(request);
      let response: ModelResponse | undefined;
      try {
        response = await next(request);
        return response;
      } finally {
        done(response?.usage);
      }
    },
    async *stream(request, next) {
      const done = await gate.enter(request);
      let usage: Usage | undefined;
      try {
        for await (const event of next(request)) {
          if (event.type === "finish") usage = event.response.usage;
          yield event;
        }
      } finally {
        done(usage);
      }
    },
  });
  return layer(client);
}
