import type { Board, ControlMessage, ControlSource } from "@switchyard/contracts";
import { recordDelivery } from "../host/delivered-messages.ts";

/** Message of the user to a run, in stored form. */
export interface StoredControlMessage {
  /** Id of the message within the run. */
  readonly id: string;
  /** The message: `steer` (read between two tool rounds) or `follow_up` (handled after the current input is done). */
  readonly message: ControlMessage;
}

/** Queue of user messages: the runner adds messages, and the engine reads them through the dependency `control`. */
export interface ControlQueue {
  /** Source from which the engine reads messages. */
  readonly source: ControlSource;
  /** Number of messages that the engine has not read. */
  readonly waiting: number;
  /** Adds a message. */
  push(message: StoredControlMessage): void;
  /**
   * Queues the messages again that earlier attempts have read. Skips messages whose ids are in `known`, because the
   * checkpoint from which the engine resumes contains them.
   */
  requeueUnknown(known: ReadonlySet<unknown>): void;
}

/**
 * Creates an empty queue of user messages. When the engine reads a message, its id is recorded on the board, the
 * engine's key-value state that checkpoints store.
 */
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
        const delivered = waiting;
        waiting = [];
        drained.push(...delivered);
        for (const { id } of delivered) recordDelivery(board, id);
        return delivered.map(({ message }) => message);
      },
      onMessage: (listener) => {
        listeners.add(listener);
        return () => {
          listeners.delete(listener);
        };
      },
    },
    requeueUnknown: (known) => {
      const unknown = drained.filter(({ id }) => !known.has(id));
      drained.length = 0;
      waiting = [...unknown, ...waiting];
    },
    push: (message) => {
      waiting.push(message);
      for (const listener of [...listeners]) listener();
    },
  };
}
