import type { SessionEvents } from "./session-event.ts";

/** Discards events that no reader will iterate: otherwise they would be queued until the process ends. */
export function discardEvents(events: SessionEvents): void {
  void events[Symbol.asyncIterator]().return?.();
}
