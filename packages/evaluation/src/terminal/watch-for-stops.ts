import type { WatchingProcess } from "@switchyard/terminal";

/** Abort signals that stop an evaluation when the process receives requests to stop. */
export interface EvalStops {
  /** Aborts at the first request to stop: sessions are interrupted cleanly. */
  readonly interrupt: AbortSignal;
  /** Aborts at the second request to stop: sessions are cancelled immediately. */
  readonly signal: AbortSignal;
  /** Stops listening. Later requests to stop end the process. */
  close(): void;
}

/**
 * Listens for Ctrl-C and termination signals. The third request to stop ends the process. A closed standard output pipe
 * counts as the first request.
 */
export function watchForStops(context: Pick<WatchingProcess, "stdout" | "onStopRequest" | "exit">): EvalStops {
  const [interrupt, cancel] = [new AbortController(), new AbortController()];
  const ignore = context.onStopRequest(() => {
    if (cancel.signal.aborted) context.exit(130);
    if (interrupt.signal.aborted) cancel.abort();
    else interrupt.abort();
  });
  const onReaderGone = (): void => interrupt.abort();
  context.stdout.readerGone.addEventListener("abort", onReaderGone, { once: true });
  return {
    interrupt: interrupt.signal,
    signal: cancel.signal,
    close: () => {
      ignore();
      context.stdout.readerGone.removeEventListener("abort", onReaderGone);
    },
  };
}
