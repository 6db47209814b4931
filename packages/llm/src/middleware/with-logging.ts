import { type Client, EngineError, type FinishReason, type ModelRequest, type Usage } from "@switchyard/contracts";
import { defineClientMiddleware } from "./with-middleware.ts";

/** Log entry of one model call, written when the call ends. It contains no messages. */
export interface ModelCallLog {
  /** Provider that responded, or the requested provider if none responded. */
  provider: string | undefined;
  /** Requested model. */
  model: string;
  /** True if the response was streamed. */
  isStreamed: boolean;
  /** Outcome. `left`: the consumer stopped before the end of the stream. */
  outcome: "answered" | "failed" | "left";
  /** Duration in milliseconds. */
  durationMs: number;
  /** Time to the first event of a stream, in milliseconds. */
  firstEventMs?: number | undefined;
  /** Number of messages in the request. */
  messages: number;
  /** Number of tools in the request. */
  tools: number;
  /** Reason why the model stopped. */
  finishReason?: FinishReason["unified"] | undefined;
  /** Tokens and cost. */
  usage?: Usage | undefined;
  /** Error code. `unknown` for an error that is not an `EngineError`. */
  errorCode?: string | undefined;
}

/** Options for logging. */
export interface LoggingOptions {
  /** Called with one entry per model call. Errors thrown by the logger are ignored. */
  log: (call: ModelCallLog) => void;
  /** Returns the time in milliseconds. Default: a monotonic clock. */
  now?: (() => number) | undefined;
}

/** A call in progress. */
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
        // An error of the logger must not fail the model call.
      }
    },
  };
}

function codeOf(error: unknown): string {
  return EngineError.is(error) ? error.code : "unknown";
}

/**
 * Wraps a client and logs each call when it ends: provider, duration and token counts, without contents. See
 * unified-llm-client: middleware.
 */
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
