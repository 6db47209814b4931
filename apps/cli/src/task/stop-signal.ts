import type { World } from "../context/command-context.ts";

/** Fires with the first request to stop; the second ends the process. */
export function createStopSignal(world: World): AbortSignal {
  const stop = new AbortController();
  world.onStopRequest(() => {
    if (stop.signal.aborted) world.exit(130);
    stop.abort();
  });
  return stop.signal;
}
