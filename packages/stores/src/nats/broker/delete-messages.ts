import type { Broker } from "./broker.ts";
import { isMissing } from "./broker-failure.ts";
import { nextMessage, type StreamSubject } from "./stored-message.ts";

/**
 * Deletes messages by their sequence numbers. Messages that do not exist are ignored. Rejects with `broker.unreachable`.
 *
 * Messages are deleted one by one, because a purge of one subject is unsafe: nats-server 2.9 then skips unread messages
 * of all other subjects in consumers that read several subjects.
 */
export async function deleteMessages(broker: Broker, stream: string, sequences: readonly number[]): Promise<void> {
  const remove = async (sequence: number): Promise<void> => {
    try {
      await broker.ask(() => broker.jsm.streams.deleteMessage(stream, sequence, false));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  };
  await Promise.all(sequences.map(remove));
}

/**
 * Deletes all messages of a subject, or only those before a sequence number. Rejects with `broker.unreachable`. See
 * {@link deleteMessages}.
 */
export async function deleteSubject(
  broker: Broker,
  subject: StreamSubject,
  before: number = Number.POSITIVE_INFINITY,
): Promise<void> {
  let next = await nextMessage(broker, subject, 1);
  while (next !== undefined && next.sequence < before) {
    await deleteMessages(broker, subject.stream, [next.sequence]);
    next = await nextMessage(broker, subject, next.sequence + 1);
  }
}
