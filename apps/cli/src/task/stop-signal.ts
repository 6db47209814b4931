import type { CommandContext } from "../context/command-context.ts";

/**
 * Returns a signal that aborts at the first request to stop (Ctrl-C or SIGTERM). The second request ends the process.
 */
export function createStopSignal(context: CommandContext): AbortSignal {
  const stop = new AbortController();
  context.onStopRequest(() => {
    if (stop.signal.aborted) context.exit(130);
    stop.abort();
  });
  return stop.signal;
}
