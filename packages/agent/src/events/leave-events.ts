import type { SessionEvents } from "./session-event.ts";

/** Says that nobody will read these events: what waits for a reader that never comes would wait for ever. */
export function leave(events: SessionEvents): void {
  void events[Symbol.asyncIterator]().return?.();
}
