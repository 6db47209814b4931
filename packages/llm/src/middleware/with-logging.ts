import { type Client, EngineError, type FinishReason, type ModelRequest, type Usage } from "@switchyard/contracts";
import { defineClientMiddleware } from "./with-middleware.ts";

/** What is known about one model call after its end; never what was said in it. */
export interface ModelCallLog {
  /** Provider that was asked, or that answered. */
  provider: string | undefined;
  /** Model that was asked. */
  model: string;
  /** Whether the answer was streamed. */
  isStreamed: boolean;
  /** How it ended; `left` is a stream that nobody read to its end. */
  outcome: "answered" | "failed" | "left";
  /** How long it took, in milliseconds. */
  durationMs: number;
  /** How long the first event of a stream took, in milliseconds. */
  firstEventMs?: number | undefined;
  /** Number of messages of the request. */
  messages: number;
  /** Number of tools of the request. */
  tools: number;
  /** Why the model stopped. */
  finishReason?: FinishReason["unified"] | undefined;
  /** Tokens and cost. */
  usage?: Usage | undefined;
  /** Code of the failure; `unknown` for one that is no error of the table. */
  errorCode?: string | undefined;
}

/** Where model calls are logged. */
export interface LoggingOptions {
  /** Takes one entry per call. What it throws is ignored. */
  log: (call: ModelCallLog) => void;
  /** Time in milliseconds; default a clock that never goes back. */
  now?: (() => number) | undefined;
}

/** One call that is being made. */
interface OpenCall {
  readonly request: ModelRequest;
  readonly isStreamed: boolean;
  readonly startedMs: number;
}

function createLog({ log, now = () => performance.now() }: LoggingOptions): {
  begin: (request: ModelRequest, isStreamed: boolean) => OpenCall;
  sinceMs: (call: OpenCall) => number;
  end: (call: OpenCall, outcome: ModelCallLog["outcome"], more?: Partial<ModelCallLog>) => void;
} {
  const sinceMs = (call: OpenCall): number => now() - call.startedMs;
  return {
    begin: (request, isStreamed) => ({ request, isStreamed, startedMs: now() }),
    sinceMs,
    end(call, outcome, more = {}) {
      const { provider, model, messages, tools = [] } = call.request;
      const counts = { messages: messages.length, tools: tools.length };
      const { isStreamed } = call;
      try {
        log({ provider, model, isStreamed, outcome, durationMs: sinceMs(call), ...counts, ...more });
      } catch {
        // A log that fails must not fail the call.
      }
    },
  };
}

function codeOf(error: unknown): string {
  return EngineError.is(error) ? error.code : "unknown";
}

/** A client that tells about each call when it ends: who, how long, how many tokens; no contents. unified-llm-client: middleware. */
export function withLogging(client: Client, options: LoggingOptions): Client {
  const log = createLog(options);
  const layer = defineClientMiddleware({
    async complete(request, next) {
      const call = log.begin(request, false);
      try {
        const response = await next(request);
        const { provider, usage, finishReason } = response;
        log.end(call, "answered", { provider, usage, finishReason: finishReason.unified });
        return response;
      } catch (error) {
        log.end(call, "failed", { errorCode: codeOf(error) });
        throw error;
      }
    },
    async *stream(request, next) {
      const call = log.begin(request, true);
      let outcome: ModelCallLog["outcome"] = "left";
      const found: Partial<ModelCallLog> = {};
      try {
        for await (const event of next(request)) {
          found.firstEventMs ??= log.sinceMs(call);
          if (event.type === "finish") {
            const { provider, usage, finishReason } = event.response;
            Object.assign(found, { provider, usage, finishReason: finishReason.unified });
            outcome = "answered";
          }
          yield event;
        }
      } catch (error) {
        outcome = "failed";
        found.errorCode = codeOf(error);
        throw error;
      } finally {
        log.end(call, outcome, found);
      }
    },
  });
  return layer(client);
}
