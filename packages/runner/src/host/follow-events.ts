import type { Envelope } from "@switchyard/contracts";
import type { EventJournal } from "./event-journal.ts";

/**
 * Yields the events of a run after a sequence number (`seq`): stored events from the log, complete and in order, then
 * live events until the attempt ends. A reader that falls behind reads stored events from the log and misses only text
 * increments, which are not stored. See durability promises D8, D13.
 */
export async function* followEvents(journal: EventJournal, afterSeq = 0): AsyncGenerator<Envelope, void, undefined> {
  let position = afterSeq;
  for (;;) {
    const tail = journal.tail();
    try {
      for await (const envelope of storedBetween(journal, position, tail.startSeq)) {
        position = envelope.seq ?? position;
        yield envelope;
      }
      for (;;) {
        const item = await tail.next();
        if (item.kind === "ended") return;
        if (item.kind === "lagged") break;
        const { seq } = item.envelope;
        if (seq !== undefined && seq <= position) continue;
        position = seq ?? position;
        yield item.envelope;
      }
    } finally {
      tail.close();
    }
  }
}

/** Yields stored events up to `lastSeq`. Later events may belong to another writer and are not read. */
async function* storedBetween(journal: EventJournal, afterSeq: number, lastSeq: number): AsyncGenerator<Envelope> {
  if (afterSeq >= lastSeq) return;
  for await (const envelope of journal.stored(afterSeq)) {
    if ((envelope.seq ?? 0) <= lastSeq) yield envelope;
    if ((envelope.seq ?? 0) >= lastSeq) return;
  }
}
