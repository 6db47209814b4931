import type { CommandContext } from "../context/command-context.ts";

/** Fires with the first request to stop; the second ends the process. */
export function createStopSignal(context: CommandContext): AbortSignal {
  const stop = new AbortController();
  context.onStopRequest(() => {
    if (stop.signal.aborted) context.exit(130);
    stop.abort();
  });
  return stop.signal;
}
