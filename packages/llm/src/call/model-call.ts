import { EngineError } from "@switchyard/contracts";
import type { Schedule } from "./schedule.ts";

/** Limits and signal of one call. */
export interface ModelCallOptions {
  /** Provider that errors name. */
  provider: string;
  /** Cancels the call from outside. */
  signal: AbortSignal | undefined;
  /** Until the first content, in milliseconds. */
  requestMs: number;
  /** Between two pieces after that, in milliseconds. */
  silenceMs: number;
  /** Timers. */
  schedule: Schedule;
}

/** The lifetime of one model call: ends by itself, by the caller's signal, or by silence. */
export interface ModelCall {
  /** Aborts the connection. */
  readonly signal: AbortSignal;
  /** Bytes arrived: the watch starts again. */
  readonly heard: () => void;
  /** Content arrived: from now on the limit on silence holds. */
  readonly answering: () => void;
  /** The promise's value, or a rejection as soon as the call is cut off. */
  readonly guard: <T>(promise: PromiseLike<T>) => Promise<T>;
  /** Why the call was cut off from this side, if it was. */
  readonly cutOff: () => EngineError | undefined;
  /** Ends the call: stops the watch and closes the connection if it is still open. */
  readonly end: () => void;
}

/** Starts the lifetime of one call. unified-llm-client: timeouts, abort. */
export function startModelCall(options: ModelCallOptions): ModelCall {
  const { provider, signal, schedule } = options;
  const controller = new AbortController();
  let reason: EngineError | undefined;
  let limitMs = options.requestMs;
  let streaming = false;
  let rejectCut: (error: EngineError) => void = () => undefined;
  const cut = new Promise<never>((_, reject) => {
    rejectCut = reject;
  });
  cut.catch(() => undefined); // nobody may be waiting when the call is cut off

  function cutOff(error: EngineError): void {
    reason ??= error;
    rejectCut(reason);
    controller.abort(reason);
  }
  function expire(): void {
    cutOff(new EngineError(streaming ? "llm.stream_stalled" : "llm.request_timeout", { provider, timeoutMs: limitMs }));
  }
  const onAbort = (): void => cutOff(new EngineError("llm.aborted", { provider }, { cause: signal?.reason }));

  let cancelTimer = schedule(expire, limitMs);
  function rearm(): void {
    cancelTimer();
    cancelTimer = schedule(expire, limitMs);
  }
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();

  return {
    signal: controller.signal,
    heard: rearm,
    answering() {
      if (streaming) return;
      streaming = true;
      limitMs = options.silenceMs;
      rearm();
    },
    guard: (promise) => Promise.race([promise, cut]),
    cutOff: () => reason,
    end() {
      cancelTimer();
      signal?.removeEventListener("abort", onAbort);
      controller.abort();
    },
  };
}
