import type { StopRequest, WatchingProcess } from "../view/watch-session.ts";

/** Requests to stop that a process receives as signals. */
export interface StopRequests extends Pick<WatchingProcess, "onStopRequest"> {
  /** First signal that was received; `undefined` if there was none. */
  readonly first: NodeJS.Signals | undefined;
}

/**
 * Listens for the signals SIGINT, SIGTERM and SIGHUP of a process. These signals then no longer end the process. Calls
 * `onUnheard` for a signal while no listener for stop requests is registered.
 */
export function createStopRequests(
  host: Pick<NodeJS.Process, "on">,
  onUnheard: (first: NodeJS.Signals) => void,
): StopRequests {
  const listeners = new Set<(request: StopRequest) => void>();
  let first: NodeJS.Signals | undefined;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    host.on(name, (signal) => {
      first ??= signal;
      if (listeners.size === 0) onUnheard(first);
      for (const listener of [...listeners]) listener(signal === "SIGINT" ? "user" : "shutdown");
    });
  }
  return {
    get first() {
      return first;
    },
    onStopRequest: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
