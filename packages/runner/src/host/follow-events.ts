import type { Envelope } from "@switchyard/contracts";
import type { EventJournal } from "./event-journal.ts";

/**
 * Every event of a run behind a `seq`: stored ones from the log, complete and in order, then live ones until the
 * attempt ends. A reader that falls behind reads stored events from the log again and misses increments only. D8, D13.
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

/** What another writer may have added since is not for readers of this attempt. */
async function* storedBetween(journal: EventJournal, afterSeq: number, lastSeq: number): AsyncGenerator<Envelope> {
  if (afterSeq >= lastSeq) return;
  for await (const envelope of journal.stored(afterSeq)) {
    if ((envelope.seq ?? 0) <= lastSeq) yield envelope;
    if ((envelope.seq ?? 0) >= lastSeq) return;
  }
}
