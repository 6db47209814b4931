import { EngineError } from "@switchyard/contracts";
import { createWatch, type Watch, type WatchLimits } from "./create-watch.ts";

/** Limits and signal of one call. */
export interface ModelCallOptions extends WatchLimits {
  /** Provider that errors name. */
  provider: string;
  /** Cancels the call from outside. */
  signal: AbortSignal | undefined;
}

/** The lifetime of one model call: ends by itself, by the caller's signal, or by silence. */
export interface ModelCall extends Omit<Watch, "end"> {
  /** Aborts the connection. */
  readonly signal: AbortSignal;
  /** The promise's value, or a rejection as soon as the call is cut off. One at a time: it is told by `onCutOff`. */
  readonly guard: <T>(promise: PromiseLike<T>) => Promise<T>;
  /** Why the call was cut off from this side, if it was. */
  readonly cutOff: () => EngineError | undefined;
  /** Does something as soon as the call is cut off; the last one told counts. */
  readonly onCutOff: (act: () => void) => void;
  /** Is asked for the end of an answer that falls silent: true where all of it had come. The last one told counts. */
  readonly onSilence: (end: () => boolean) => void;
  /** Ends the call. Unless its answer was read to the end, the connection is closed. */
  readonly end: (wasRead: boolean) => void;
}

/** Starts the lifetime of one call. unified-llm-client: timeouts, abort. */
export function startModelCall(options: ModelCallOptions): ModelCall {
  const { provider, signal } = options;
  const controller = new AbortController();
  let reason: EngineError | undefined;
  let act: () => void = () => undefined;
  let endSilent = (): boolean => false;

  function cutOff(error: EngineError): void {
    if (reason !== undefined) return;
    reason = error;
    controller.abort(reason);
    act();
  }
  function onCutOff(told: () => void): void {
    act = told;
    if (reason !== undefined) act();
  }
  const watch = createWatch(options, (answering, timeoutMs) => {
    if (endSilent()) return;
    cutOff(new EngineError(answering ? "llm.stream_stalled" : "llm.request_timeout", { provider, timeoutMs }));
  });
  const onAbort = (): void => cutOff(new EngineError("llm.aborted", { provider }, { cause: signal?.reason }));

  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();

  return {
    ...watch,
    signal: controller.signal,
    guard: (promise) =>
      new Promise((resolve, reject) => {
        promise.then(resolve, reject);
        onCutOff(() => reject(reason));
      }),
    cutOff: () => reason,
    onCutOff,
    onSilence(end) {
      endSilent = end;
    },
    end(wasRead) {
      watch.end();
      signal?.removeEventListener("abort", onAbort);
      // Not for an answer that is over: making the reason of an abort costs more than the call's own timers.
      if (!wasRead) controller.abort();
    },
  };
}
