import { randomUUID } from "node:crypto";
import type { Msg, MsgHdrs, NatsConnection, Subscription } from "@nats-io/transport-node";

/** Status code of an empty message, with which the broker reports that the requested subject has no subscriber. */
const NO_RECEIVERS = 503;
/** Radix in which request numbers are written in reply subjects (the addresses of replies). */
const RADIX = 36;

/** Error of a failed request. It has the same name as the NATS client's error, see `broker-failure.ts`. */
class RequestFailure extends Error {
  override readonly name: "TimeoutError" | "RequestError" | "NoRespondersError";

  constructor(name: RequestFailure["name"], message: string) {
    super(message);
    this.name = name;
  }
}

/** Options of a request. */
export interface RequestOptions {
  /** Maximum wait for the reply, in milliseconds. */
  readonly timeoutMs: number;
  /** Headers of the request. */
  readonly headers?: MsgHdrs | undefined;
}

/** A request that waits for its reply. */
interface Pending {
  readonly subject: string;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (reply: Msg) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends requests over a connection. All replies arrive at one subscription. The NATS client's own `request` creates an
 * error with a stack trace for each request, even if the request succeeds. This costs more than the rest of the
 * request.
 */
export class BrokerRequests {
  readonly #connection: NatsConnection;
  readonly #inbox = `_INBOX.${randomUUID().replaceAll("-", "")}`;
  readonly #pending = new Map<string, Pending>();
  #subscription: Subscription | undefined;
  #count = 0;

  constructor(connection: NatsConnection) {
    this.#connection = connection;
    void connection.closed().then(() => this.#failAll(new RequestFailure("RequestError", "connection closed")));
  }

  /**
   * Sends a request and resolves with its first reply. Rejects with a `TimeoutError` if no reply arrives in time, with
   * a `NoRespondersError` if no client receives the subject, with a `RequestError` if the connection is closed, and
   * with a `PermissionViolationError` if the broker forbids the request.
   */
  send(subject: string, data: string | Uint8Array, { timeoutMs, headers }: RequestOptions): Promise<Msg> {
    return new Promise((resolve, reject) => {
      this.#subscription ??= this.#subscribe();
      this.#count += 1;
      const token = this.#count.toString(RADIX);
      const timer = setTimeout(() => this.#fail(token, new RequestFailure("TimeoutError", "timeout")), timeoutMs);
      this.#pending.set(token, { subject, timer, resolve, reject });
      try {
        const options = { reply: `${this.#inbox}.${token}`, ...(headers === undefined ? {} : { headers }) };
        this.#connection.publish(subject, data, options);
      } catch (error) {
        this.#fail(token, error);
      }
    });
  }

  /** Handles an error that the broker reported for the connection, such as a missing permission. */
  noteError(error: Error): void {
    if (!("operation" in error) || error.operation !== "publish" || !("subject" in error)) return;
    const denied = [...this.#pending].find(([, { subject }]) => subject === error.subject);
    if (denied !== undefined) this.#fail(denied[0], error);
  }

  #subscribe(): Subscription {
    const start = this.#inbox.length + 1;
    return this.#connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => {
        // The broker has ended the subscription, for example because of a missing permission.
        if (error !== null) {
          this.#subscription = undefined;
          this.#failAll(error);
          return;
        }
        const token = message.subject.slice(start);
        const pending = this.#pending.get(token);
        if (pending === undefined) return;
        if (message.data.length === 0 && message.headers?.code === NO_RECEIVERS) {
          this.#fail(token, new RequestFailure("NoRespondersError", `no responders: '${pending.subject}'`));
          return;
        }
        this.#pending.delete(token);
        clearTimeout(pending.timer);
        pending.resolve(message);
      },
    });
  }

  #fail(token: string, error: unknown): void {
    const pending = this.#pending.get(token);
    this.#pending.delete(token);
    clearTimeout(pending?.timer);
    pending?.reject(error);
  }

  #failAll(error: unknown): void {
    for (const token of [...this.#pending.keys()]) this.#fail(token, error);
  }
}
