import type { CommandContext } from "../context/command-context.ts";

/** Requests to stop, as an evaluation understands them. */
export interface EvalStops {
  /** Fires at the first one: stop cleanly. */
  readonly interrupt: AbortSignal;
  /** Fires at the second one: stop at once. */
  readonly signal: AbortSignal;
  /** Leaves later ones to the process. */
  close(): void;
}

/** Listens for Ctrl-C and signals; the third one ends the process. A reader that went away counts as the first. */
export function watchForStops(context: CommandContext): EvalStops {
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
