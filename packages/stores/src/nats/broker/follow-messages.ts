import type { Consumer, JsMsg } from "@nats-io/jetstream";
import type { Broker } from "./broker.ts";
import { isMissing, isTransient, toBrokerFailure } from "./broker-failure.ts";
import { startOf, toStored } from "./read-messages.ts";
import type { StoredMessage } from "./stored-message.ts";

/**
 * Duration of one request that pulls messages from the broker, in milliseconds. If the broker is silent for longer, the
 * consumer is replaced.
 */
const PULL_MS = 4_000;
/** Wait before a new consumer is opened after a failure, in milliseconds. */
const PAUSE_MS = 200;

/** Options of {@link followMessages}. */
export interface FollowMessagesOptions {
  readonly stream: string;
  /** Subject, or a pattern of subjects. */
  readonly subject: string;
  /** Sequence number of the first message to read. Default: the beginning of the stream. */
  readonly from?: number | undefined;
  /** True to start with only the last message of each subject. Default: false. */
  readonly isLastOnly?: boolean | undefined;
  /** Signal that ends the stream when it aborts. */
  readonly signal: AbortSignal;
}

/**
 * Yields stored messages and then every message that is added, in order, until the signal aborts. If the broker becomes
 * unavailable, waits and then continues with the next message.
 */
export async function* followMessages(
  broker: Broker,
  options: FollowMessagesOptions,
): AsyncGenerator<StoredMessage, void, undefined> {
  const { stream, subject, signal } = options;
  let last = 0;
  while (!signal.aborted) {
    const position = last === 0 ? options : { stream, subject, from: last + 1 };
    let consumer: Consumer | undefined;
    try {
      consumer = await broker.ask(
        () => broker.js.consumers.get(stream, { filter_subjects: subject, ...startOf(position) }),
        signal,
      );
      for await (const message of messagesOf(broker, consumer, signal)) {
        last = message.seq;
        yield toStored(message);
        if (signal.aborted) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isMissing(error) && !isTransient(error)) throw toBrokerFailure(error, broker.address);
    } finally {
      await consumer?.delete().catch(() => undefined);
    }
    await broker.timer.sleep(PAUSE_MS, { signal }).catch(() => undefined);
  }
}

/** Yields the messages of a consumer until the connection was lost or the signal aborts. */
async function* messagesOf(
  broker: Broker,
  consumer: Consumer,
  signal: AbortSignal,
): AsyncGenerator<JsMsg, void, undefined> {
  const messages = await consumer.consume({ expires: PULL_MS });
  const stop = (): void => messages.stop();
  signal.addEventListener("abort", stop, { once: true });
  // A restarted broker has lost the consumer. The client would replace it only seconds later.
  const ignoreReconnect = broker.onReconnect(stop);
  try {
    if (!signal.aborted) yield* messages;
  } finally {
    ignoreReconnect();
    signal.removeEventListener("abort", stop);
    messages.stop();
  }
}
