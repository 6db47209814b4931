import { EngineError } from "@switchyard/contracts";
import { createWatch, type Watch, type WatchLimits } from "./create-watch.ts";

/** Time limits and abort signal of one model call. */
export interface ModelCallOptions extends WatchLimits {
  /** Name of the provider, for errors. */
  provider: string;
  /** Cancels the call. */
  signal: AbortSignal | undefined;
}

/**
 * Lifetime of one model call. A call ends normally, by the caller's abort signal, or by a timeout. An abort or a
 * timeout is called a cut-off.
 */
export interface ModelCall extends Omit<Watch, "end"> {
  /** Aborts the connection. */
  readonly signal: AbortSignal;
  /**
   * Resolves with the promise's value, or rejects as soon as the call is cut off. Only one `guard` may be pending,
   * because each replaces the `onCutOff` callback.
   */
  readonly guard: <T>(promise: PromiseLike<T>) => Promise<T>;
  /** Returns why the client cut the call off. `undefined` if the client did not. */
  readonly cutOff: () => EngineError | undefined;
  /**
   * Registers a callback that is called when the client cuts the call off. A later callback replaces an earlier one.
   */
  readonly onCutOff: (act: () => void) => void;
  /**
   * Registers a callback that is called when no more bytes of the response arrive. The callback returns true if the
   * response was complete. A later callback replaces an earlier one.
   */
  readonly onSilence: (end: () => boolean) => void;
  /** Ends the call. The connection is closed unless the response was read completely. */
  readonly end: (wasRead: boolean) => void;
}

/**
 * Starts the time limits of one model call, and cuts the call off when the caller's signal aborts. The caller makes the
 * call with `signal` of the result. See unified-llm-client: timeouts, abort.
 */
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
  function onCutOff(notify: () => void): void {
    act = notify;
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
      // The signal is not aborted after a complete response, because creating an abort reason is expensive.
      if (!wasRead) controller.abort();
    },
  };
}
