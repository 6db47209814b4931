import type { Board, ControlMessage, ControlSource } from "@switchyard/contracts";
import { recordDelivery } from "../host/delivered-messages.ts";

/** What a person said to a run, as it is kept. */
export interface StoredControlMessage {
  /** Id of the message within the run. */
  readonly id: string;
  /** What was said, and when it is to be dealt with. */
  readonly message: ControlMessage;
}

/** Both ends of the dependency `control`. */
export interface ControlQueue {
  /** What the engine is given. */
  readonly source: ControlSource;
  /** How many messages the engine has not taken. */
  readonly waiting: number;
  /** Adds a message. */
  push(kept: StoredControlMessage): void;
  /** Puts back what the engine has taken, but for those with these ids: it begins again where it did not know the others. */
  giveBack(known: ReadonlySet<unknown>): void;
}

/** Makes an empty queue of what a person says to a running engine; what the engine takes is noted on its board. */
export function createControlQueue(board: Board): ControlQueue {
  let waiting: StoredControlMessage[] = [];
  const drained: StoredControlMessage[] = [];
  const listeners = new Set<() => void>();
  return {
    get waiting() {
      return waiting.length;
    },
    source: {
      drain: () => {
        const taken = waiting;
        waiting = [];
        drained.push(...taken);
        for (const { id } of taken) recordDelivery(board, id);
        return taken.map(({ message }) => message);
      },
      onMessage: (listener) => {
        listeners.add(listener);
        return () => {
          listeners.delete(listener);
        };
      },
    },
    giveBack: (known) => {
      const unknown = drained.filter(({ id }) => !known.has(id));
      drained.length = 0;
      waiting = [...unknown, ...waiting];
    },
    push: (kept) => {
      waiting.push(kept);
      for (const listener of [...listeners]) listener();
    },
  };
}
