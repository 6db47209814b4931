import type { Consumer, DeliverPolicy, JsMsg } from "@nats-io/jetstream";
import type { Broker } from "./broker.ts";
import { isMissing, isTransient, toBrokerFailure } from "./broker-failure.ts";
import { lastMessage, nextMessage, type StoredMessage } from "./stored-message.ts";

/**
 * Number of messages that are read one by one before a consumer is opened. Most readers find fewer messages, and to open
 * and remove a consumer takes four requests.
 */
const SINGLE_READS = 4;
/** Number of messages that are fetched at a time. */
const BATCH = 256;
/** Maximum wait for a batch of messages, in milliseconds. */
const BATCH_MS = 2_000;
/** Number of times that a replica is read again if it has not received all messages yet. */
const READINGS = 50;
/** Wait before a replica is read again, in milliseconds. */
const READING_PAUSE_MS = 100;
const MILLISECONDS = 1e6;

/** Options for reading messages. */
export interface ReadOptions {
  readonly stream: string;
  /** Subject, or a pattern of subjects. */
  readonly subject: string;
  /** Sequence number of the first message to read. Default: the beginning of the stream. */
  readonly from?: number | undefined;
  /** True to read only the last message of each subject. Default: false. */
  readonly isLastOnly?: boolean | undefined;
  /**
   * True to read only the headers of messages. The header `HEADERS.size` then contains the size of the body. The first
   * messages may nevertheless have bodies, and then no such header. Default: false.
   */
  readonly isHeadersOnly?: boolean | undefined;
}

/** Returns a message in the form that this package uses. */
export function toStored(message: JsMsg): StoredMessage {
  const { headers } = message;
  return {
    subject: message.subject,
    sequence: message.seq,
    data: message.data,
    storedAt: Math.floor(message.info.timestampNanos / MILLISECONDS),
    header: (name) => headers?.get(name) ?? "",
  };
}

/** Returns the position at which a consumer starts to read. */
export function startOf({ from, isLastOnly }: Pick<ReadOptions, "from" | "isLastOnly">): {
  deliver_policy: DeliverPolicy;
  opt_start_seq?: number;
} {
  if (from !== undefined) return { deliver_policy: "by_start_sequence", opt_start_seq: from };
  return { deliver_policy: isLastOnly === true ? "last_per_subject" : "all" };
}

/** Opens a consumer for reading a stream. `undefined` if there is nothing to read. */
async function openReader(broker: Broker, options: ReadOptions): Promise<Consumer | undefined> {
  return await broker.ask(async () => {
    const consumer = await broker.js.consumers.get(options.stream, {
      filter_subjects: options.subject,
      ...startOf(options),
      ...(options.isHeadersOnly === true ? { headers_only: true } : {}),
    });
    const { num_pending: waiting } = await consumer.info(true);
    if (waiting > 0) return consumer;
    await closeReader(consumer);
    return undefined;
  });
}

/** Removes the consumer. A failure is ignored, because the broker removes an unused consumer after a while. */
async function closeReader(consumer: Consumer): Promise<void> {
  await consumer.delete().catch(() => undefined);
}

/**
 * Yields stored messages in order. If the broker becomes unavailable, waits and then continues with the next message.
 * A new consumer of the broker may not see the newest messages yet, and in a cluster of brokers, the replica that is read
 * may be behind the leader of the stream. Reading then waits until it has all messages that the leader had when the
 * reading began.
 */
export async function* readMessages(
  broker: Broker,
  options: ReadOptions,
): AsyncGenerator<StoredMessage, void, undefined> {
  let last = 0;
  if (options.isLastOnly === true) {
    if ((await nextMessage(broker, options, options.from ?? 1)) === undefined) return;
  } else {
    const read = yield* readFirst(broker, options);
    if (read === undefined) return;
    last = read;
  }
  const end = await lastSequence(broker, options);
  for (let reading = 0; ; reading += 1) {
    for await (const message of readReplica(broker, last === 0 ? options : { ...options, from: last + 1 })) {
      last = message.sequence;
      yield message;
    }
    // The last message may have been removed meanwhile.
    if (last >= end || reading === READINGS || (await lastSequence(broker, options)) <= last) return;
    await broker.timer.sleep(READING_PAUSE_MS);
  }
}

/** Resolves with the sequence number of the last message to read, according to the leader of the stream. 0 if none. */
async function lastSequence(broker: Broker, { stream, subject, from = 0 }: ReadOptions): Promise<number> {
  const sequence = (await lastMessage(broker, { stream, subject }))?.sequence ?? 0;
  return sequence < from ? 0 : sequence;
}

/**
 * Yields the first messages, at most `SINGLE_READS`. Resolves with the sequence number of the last one, or with
 * `undefined` if there are no further messages.
 */
async function* readFirst(
  broker: Broker,
  { from = 1, ...subject }: ReadOptions,
): AsyncGenerator<StoredMessage, number | undefined, undefined> {
  let next = from;
  for (let count = 0; count < SINGLE_READS; count += 1) {
    const message = await nextMessage(broker, subject, next);
    if (message === undefined) return undefined;
    next = message.sequence + 1;
    yield message;
  }
  return next - 1;
}

/** Yields the messages that one replica has stored. */
async function* readReplica(broker: Broker, options: ReadOptions): AsyncGenerator<StoredMessage, void, undefined> {
  let last = 0;
  for (;;) {
    const resumed = last === 0 ? options : { ...options, from: last + 1 };
    const reader = await openReader(broker, resumed);
    if (reader === undefined) return;
    try {
      for (;;) {
        const batch = await reader.fetch({ max_messages: BATCH, expires: BATCH_MS });
        let isEmpty = true;
        for await (const message of batch) {
          isEmpty = false;
          last = message.seq;
          const isEnd = message.info.pending === 0;
          yield toStored(message);
          if (isEnd) return;
        }
        // No message arrived although some are pending. The broker is unavailable, or the messages were removed.
        if (isEmpty) break;
      }
    } catch (error) {
      // While the connection was lost, the broker may have removed the consumer. Then a new consumer is opened.
      if (!isMissing(error) && !isTransient(error)) throw toBrokerFailure(error, broker.address);
    } finally {
      await closeReader(reader);
    }
  }
}
