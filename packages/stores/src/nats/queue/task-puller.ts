import { randomUUID } from "node:crypto";
import type { Msg } from "@nats-io/transport-node";
import type { Broker } from "../broker/broker.ts";

/** Outcome of a request for tasks: a task; `none` if no task arrived in time; `away` if the broker does not respond. */
export type Pulled = TaskMessage | "none" | "away";

/** A task that the broker delivered to this process. */
export interface TaskMessage {
  readonly data: Uint8Array;
  /** Number of deliveries so far, including this one. */
  readonly deliveries: number;
  /** Acknowledges the task: the broker removes it. */
  ack(): void;
  /** Notifies the broker that this process is still working on the task. */
  working(): void;
  /** Returns the task to the queue after a delay, in milliseconds. */
  nak(delayMs?: number): void;
}

/** Duration of one request for tasks, in milliseconds. */
const PULL_MS = 2_000;
/** Time to wait for the broker's response after a request for tasks has ended, in milliseconds. */
const GRACE_MS = 2_000;
const NANOSECONDS = 1e6;
const PULL = JSON.stringify({ batch: 1, expires: PULL_MS * NANOSECONDS });
/**
 * Status codes of the broker's response to a request for tasks if no task was available. Other codes mean that the
 * broker is stopping.
 */
const NO_MESSAGE = [404, 408];
/**
 * Number of words in the reply subject of a message if the NATS server is old. Newer servers add words, which moves the
 * delivery count from `OLD_INDEX` to `NEW_INDEX`.
 */
const OLD_TOKENS = 9;
const [OLD_INDEX, NEW_INDEX] = [4, 6];

function toTaskMessage(message: Msg): TaskMessage {
  const tokens = (message.reply ?? "").split(".");
  return {
    data: message.data,
    deliveries: Number(tokens[tokens.length === OLD_TOKENS ? OLD_INDEX : NEW_INDEX]),
    ack: () => void message.respond("+ACK"),
    working: () => void message.respond("+WPI"),
    nak: (delayMs = 0) => {
      message.respond(delayMs > 0 ? `-NAK ${JSON.stringify({ delay: delayMs * NANOSECONDS })}` : "-NAK");
    },
  };
}

/**
 * Receives tasks from the broker. All pull requests share one subscription, and each request has one response. The NATS
 * client's own function would create a subscription for each task.
 */
export class TaskPuller {
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

  /** Requests one task. Waits until a task arrives, the request times out or a signal aborts. */
  next(signals: readonly AbortSignal[]): Promise<Pulled> {
    return new Promise((resolve) => {
      const settle = (pulled: Pulled): void => {
        clearTimeout(timer);
        for (const signal of signals) signal.removeEventListener("abort", stop);
        const index = this.#waiting.indexOf(settle);
        if (index >= 0) this.#waiting.splice(index, 1);
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
    if (status !== 0) settle?.(NO_MESSAGE.includes(status) ? "none" : "away");
    else if (settle !== undefined) settle(toTaskMessage(message));
    // No caller waits for this task, so it is returned to the queue immediately.
    else toTaskMessage(message).nak();
  }
}
