import type { ControlMessage, ControlSource } from "@switchyard/contracts";

/** Source of control messages through which a test sends messages to a run. */
export function controlSource(): ControlSource & { send(message: ControlMessage): void } {
  const waiting: ControlMessage[] = [];
  const listeners = new Set<() => void>();
  return {
    drain: () => waiting.splice(0),
    onMessage: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send: (message) => {
      waiting.push(message);
      for (const listener of [...listeners]) listener();
    },
  };
}
