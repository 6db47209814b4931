import type { SessionHandle, SessionReport } from "@switchyard/contracts";
import type { View } from "../views/view.ts";
import type { World } from "../world/world.ts";

/** Starts a session that is cancelled when the signal fires. */
export type StartSession = (signal: AbortSignal) => Promise<SessionHandle>;

/**
 * Starts a session and shows it until it ends. The first request to stop (Ctrl-C, a signal, a reader that went away)
 * interrupts it cleanly, the second cancels it, the third ends the process.
 */
export async function watchSession(world: World, start: StartSession, view: View): Promise<SessionReport> {
  const stop = createStopControl(world);
  try {
    const handle = await start(stop.signal);
    stop.attach(handle);
    for await (const envelope of handle.events()) view.show(envelope);
    return await handle.result;
  } finally {
    view.close();
    stop.detach();
  }
}

interface StopControl {
  /** Fires at the second request. */
  readonly signal: AbortSignal;
  /** Where the first request goes; one that came before is handed on at once. */
  attach(handle: SessionHandle): void;
  /** Leaves later requests to the process. */
  detach(): void;
}

function createStopControl(world: World): StopControl {
  const cancel = new AbortController();
  let requests = 0;
  let handle: SessionHandle | undefined;
  const interrupt = (): void => handle?.interrupt({ cause: "user_cancel" });
  const ignore = world.onStopRequest(() => {
    requests += 1;
    if (requests === 1) interrupt();
    else if (requests === 2) cancel.abort();
    else world.exit(130);
  });
  const onReaderGone = (): void => handle?.interrupt({ cause: "host_shutdown", detail: "nobody reads the output" });
  world.stdout.closed.addEventListener("abort", onReaderGone, { once: true });
  return {
    signal: cancel.signal,
    attach(started) {
      handle = started;
      if (requests > 0) interrupt();
      if (world.stdout.closed.aborted) onReaderGone();
    },
    detach() {
      ignore();
      world.stdout.closed.removeEventListener("abort", onReaderGone);
    },
  };
}
