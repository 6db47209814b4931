import type { ControlMessage, Envelope } from "@switchyard/contracts";
import type { RunEvents } from "../host/run-events.ts";
import type { ControlQueue, StoredControlMessage } from "./control-queue.ts";

/** What a desk needs. */
export interface ControlDispatcherOptions {
  /** Where messages are kept. */
  events: RunEvents;
  /** Where the engine gets them. */
  queue: ControlQueue;
  /** 1-based attempt, which makes the ids of its messages unlike those of any other. */
  attempt: number;
}

/** Where a person's messages to a running engine are accepted. */
export interface ControlDispatcher {
  /** Keeps a message as an event, then hands it to the engine: it outlives the process that accepted it. */
  accept(message: ControlMessage): void;
  /** Waits until every message is kept. */
  settled(): Promise<void>;
}

/** Makes the desk of an attempt. */
export function createControlDispatcher({ events, queue, attempt }: ControlDispatcherOptions): ControlDispatcher {
  let accepted = 0;
  let keeping: Promise<void> = Promise.resolve();

  async function keep({ id, message }: StoredControlMessage): Promise<void> {
    const { type, text } = message;
    // A log that cannot be written stops the run by itself.
    await events.report("control_received", { control_id: id, kind: type, content: text }).catch(() => undefined);
    queue.push({ id, message });
  }
  return {
    accept: (message) => {
      accepted++;
      const kept = keep({ id: `${attempt}-${accepted}`, message });
      keeping = keeping.then(() => kept);
    },
    settled: () => keeping,
  };
}

/** The message that an event tells of; nothing when it tells of none. */
export function controlMessageOf({ type, payload }: Envelope): StoredControlMessage | undefined {
  if (type !== "control_received") return undefined;
  // It comes from a file.
  const { control_id: id, kind, content: text } = payload;
  const isMessage = [id, text].every((field) => typeof field === "string") && ["steer", "follow_up"].includes(kind);
  return isMessage ? { id, message: { type: kind, text } } : undefined;
}
