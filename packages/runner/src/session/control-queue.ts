import type { ControlMessage, ControlSource } from "@switchyard/contracts";

/** Both ends of the dependency `control`. */
export interface ControlQueue {
  /** What the engine is given. */
  readonly source: ControlSource;
  /** Adds a message. */
  push(message: ControlMessage): void;
}

/** Makes an empty queue of what a person says to a running engine. */
export function createControlQueue(): ControlQueue {
  let waiting: ControlMessage[] = [];
  const listeners = new Set<() => void>();
  return {
    source: {
      drain: () => {
        const messages = waiting;
        waiting = [];
        return messages;
      },
      onMessage: (listener) => {
        listeners.add(listener);
        return () => {
          listeners.delete(listener);
        };
      },
    },
    push: (message) => {
      waiting.push(message);
      for (const listener of [...listeners]) listener();
    },
  };
}
