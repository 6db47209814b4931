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

/** What a client may use; what is unset is unlimited. */
export interface RateLimitOptions {
  /** Most requests that begin within any minute. */
  requestsPerMinute?: number | undefined;
  /** Most tokens, in and out, within any minute; a request counts with an estimate until its answer is there. */
  tokensPerMinute?: number | undefined;
  /** Most requests at the same time. */
  maxConcurrency?: number | undefined;
  /** Tokens that a request will use; by default a quarter of its characters. */
  estimateTokens?: ((request: ModelRequest) => number) | undefined;
  /** Time in milliseconds; default a clock that never goes back. */
  now?: (() => number) | undefined;
  /** Waits; default ordinary timers. */
  schedule?: Schedule | undefined;
}

/** A request that may go; `done` gives its place back. */
type Admitted = (usage: Usage | undefined) => void;

interface Waiting {
  readonly tokens: number;
  readonly admit: (admitted: Admitted) => void;
}

/** What an image or another file counts for. */
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

/** Lets requests pass in the order in which they came, as the limits allow. */
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
          signal?.removeEventListener("abort", leave);
          resolve(admitted);
        },
      };
      const leave = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(aborted());
        this.#pump();
      };
      signal?.addEventListener("abort", leave, { once: true });
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
    throw new EngineError("config.invalid", { field, problem: `${limit} would let nothing pass` });
  }
}

/**
 * A client that keeps to limits on requests and tokens per minute and on calls at the same time. Calls wait for their
 * turn, first come, first served; an abort ends the waiting with `llm.aborted`. unified-llm-client: middleware.
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
