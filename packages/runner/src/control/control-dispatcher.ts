import type { ControlMessage, Envelope } from "@switchyard/contracts";
import type { RunEvents } from "../host/run-events.ts";
import type { ControlQueue, StoredControlMessage } from "./control-queue.ts";

/** Options of {@link createControlDispatcher}. */
export interface ControlDispatcherOptions {
  /** Stores messages as events. */
  events: RunEvents;
  /** Queue from which the engine reads messages. */
  queue: ControlQueue;
  /** 1-based number of the attempt. Part of message ids, so that ids are unique across attempts. */
  attempt: number;
}

/** Accepts messages from the user, and passes them to a running engine. */
export interface ControlDispatcher {
  /**
   * Stores a message as an event, then queues the message for the engine. The stored message survives a crash of this
   * process.
   */
  accept(message: ControlMessage): void;
  /** Resolves when every accepted message is stored. */
  settled(): Promise<void>;
}

/** Creates the dispatcher that accepts user messages during one attempt (execution of the run). */
export function createControlDispatcher({ events, queue, attempt }: ControlDispatcherOptions): ControlDispatcher {
  let accepted = 0;
  let storing: Promise<void> = Promise.resolve();

  async function store({ id, message }: StoredControlMessage): Promise<void> {
    const { type, text } = message;
    // No handling is needed here: a failure to write the event log stops the run.
    await events.report("control_received", { control_id: id, kind: type, content: text }).catch(() => undefined);
    queue.push({ id, message });
  }
  return {
    accept: (message) => {
      accepted++;
      const stored = store({ id: `${attempt}-${accepted}`, message });
      storing = storing.then(() => stored);
    },
    settled: () => storing,
  };
}

/** Returns the message in a `control_received` event. `undefined` for other events. */
export function controlMessageOf({ type, payload }: Envelope): StoredControlMessage | undefined {
  if (type !== "control_received") return undefined;
  // The payload is read from a file and may be malformed.
  const { control_id: id, kind, content: text } = payload;
  const isMessage = [id, text].every((field) => typeof field === "string") && ["steer", "follow_up"].includes(kind);
  return isMessage ? { id, message: { type: kind, text } } : undefined;
}
