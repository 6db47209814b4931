import type { Broker } from "./broker.ts";
import { isMissing } from "./broker-failure.ts";
import { nextMessage, type StreamSubject } from "./stored-message.ts";

/** Number of messages that are deleted at the same time. */
const BATCH = 64;

/**
 * Returns whether the connected server can purge one subject without damage to others. After a purge by a server before
 * 2.10, consumers that read several subjects skip unread messages of the other subjects. In a cluster of such servers,
 * one that is restarted after a purge can lose stored messages of other subjects.
 */
function canPurge({ connection }: Broker): boolean {
  const [major = 0, minor = 0] = (connection.info?.version ?? "").split(".").map(Number);
  return major > 2 || (major === 2 && minor >= 10);
}

/**
 * Deletes all messages of a subject or of a pattern of subjects, or only those before a sequence number. Rejects with
 * `broker.unreachable`.
 */
export async function deleteMessages(
  broker: Broker,
  { stream, subject }: StreamSubject,
  before: number = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const { streams } = broker.jsm;
  // There is no message before the first. Some servers interpret the sequence number 1 as "delete everything".
  if (before <= 1) return;
  if (canPurge(broker)) {
    const limit = before === Number.MAX_SAFE_INTEGER ? {} : { seq: before };
    await broker.ask(() => streams.purge(stream, { filter: subject, ...limit }));
    return;
  }
  const remove = async (sequence: number): Promise<void> => {
    try {
      await broker.ask(() => streams.deleteMessage(stream, sequence, false));
    } catch (error) {
      // Another process has deleted the message.
      if (!isMissing(error)) throw error;
    }
  };
  for (let from = 1; ; ) {
    const batch: number[] = [];
    while (batch.length < BATCH) {
      const next = await nextMessage(broker, { stream, subject }, from);
      if (next === undefined || next.sequence >= before) break;
      batch.push(next.sequence);
      from = next.sequence + 1;
    }
    await Promise.all(batch.map(remove));
    if (batch.length < BATCH) return;
  }
}
