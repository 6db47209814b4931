import { randomUUID } from "node:crypto";
import type { Msg } from "@nats-io/transport-node";
import type { Broker } from "../broker/broker.ts";

/** What came of a request: a task, nothing for a while, or no answer of the broker. */
export type Pulled = TaskMessage | "none" | "away";

/** A task as the broker delivered it to this process. */
export interface TaskMessage {
  readonly data: Uint8Array;
  /** How often it was delivered, with this time. */
  readonly deliveries: number;
  /** It is over: the broker forgets it. */
  ack(): void;
  /** It is being worked on. */
  working(): void;
  /** For somebody else, after some milliseconds. */
  giveBack(delayMs?: number): void;
}

/** Milliseconds of one request for a task. */
const PULL_MS = 2_000;
/** Milliseconds after that for which its answer is waited for. */
const GRACE_MS = 2_000;
const NANOSECONDS = 1e6;
const PULL = JSON.stringify({ batch: 1, expires: PULL_MS * NANOSECONDS });
/** Statuses of answers without a message: nothing is there, or came in time. Others say that the broker is stopping. */
const NOTHING_CAME = [404, 408];
/** Where the number of deliveries stands in the address for acknowledgements: of older servers, and of newer ones. */
const OLD_WORDS = 9;
const [OLD_PLACE, NEW_PLACE] = [4, 6];

function toTaskMessage(message: Msg): TaskMessage {
  const words = (message.reply ?? "").split(".");
  return {
    data: message.data,
    deliveries: Number(words[words.length === OLD_WORDS ? OLD_PLACE : NEW_PLACE]),
    ack: () => void message.respond("+ACK"),
    working: () => void message.respond("+WPI"),
    giveBack: (delayMs = 0) => {
      message.respond(delayMs > 0 ? `-NAK ${JSON.stringify({ delay: delayMs * NANOSECONDS })}` : "-NAK");
    },
  };
}

/**
 * Takes in the tasks that the broker delivers to this process: one subscription for all requests, and for each of them
 * one answer. What the client offers for this subscribes anew for each task.
 */
export class TaskIntake {
  readonly #broker: Broker;
  readonly #subject: string;
  readonly #inbox: string;
  readonly #waiting: ((pulled: Pulled) => void)[] = [];

  constructor(broker: Broker, { stream, consumer }: { stream: string; consumer: string }) {
    this.#broker = broker;
    this.#subject = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`;
    this.#inbox = `_INBOX.${randomUUID()}`;
    broker.connection.subscribe(this.#inbox, {
      callback: (error, message) => {
        if (error === null || error === undefined) this.#receive(message);
      },
    });
  }

  /** Asks for one task and waits for it for a while, at most until a signal fires. */
  next(signals: readonly AbortSignal[]): Promise<Pulled> {
    return new Promise((resolve) => {
      const settle = (pulled: Pulled): void => {
        clearTimeout(timer);
        for (const signal of signals) signal.removeEventListener("abort", stop);
        const place = this.#waiting.indexOf(settle);
        if (place >= 0) this.#waiting.splice(place, 1);
        resolve(pulled);
      };
      const stop = (): void => settle("none");
      const timer = setTimeout(() => settle("away"), PULL_MS + GRACE_MS);
      for (const signal of signals) signal.addEventListener("abort", stop, { once: true });
      this.#waiting.push(settle);
      this.#broker.connection.publish(this.#subject, PULL, { reply: this.#inbox });
    });
  }

  #receive(message: Msg): void {
    const status = message.headers?.code ?? 0;
    const settle = this.#waiting[0];
    if (status !== 0) settle?.(NOTHING_CAME.includes(status) ? "none" : "away");
    else if (settle !== undefined) settle(toTaskMessage(message));
    // Whoever asked for it has stopped: it is for somebody else, at once.
    else toTaskMessage(message).giveBack();
  }
}
