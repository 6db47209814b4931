import type { ControlMessage, ControlSource } from "@switchyard/contracts";

/** A source of control messages that a test speaks through. */
export function controlSource(): ControlSource & { say(message: ControlMessage): void } {
  const waiting: ControlMessage[] = [];
  const listeners = new Set<() => void>();
  return {
    drain: () => waiting.splice(0),
    onMessage: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    say: (message) => {
      waiting.push(message);
      for (const listener of [...listeners]) listener();
    },
  };
}
