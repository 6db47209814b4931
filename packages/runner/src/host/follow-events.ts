import type { Envelope } from "@switchyard/contracts";
import { parseEventLine } from "../run-store/event-line.ts";
import { type ByteRange, type FileLine, readLines } from "../run-store/read-lines.ts";
import { toStoreFailure } from "../run-store/store-failure.ts";
import type { EventJournal } from "./event-journal.ts";

/**
 * Every event of a run behind a `seq`: stored ones from the log, complete and in order, then live ones until the
 * run ends. A reader that falls behind reads stored events from the log again and misses increments only. D8, D13.
 */
export async function* followEvents(journal: EventJournal, afterSeq = 0): AsyncGenerator<Envelope, void, undefined> {
  let position = 0;
  for (;;) {
    const tail = journal.tail();
    try {
      for await (const line of logLines(journal.path, { from: position, to: tail.start })) {
        position = line.end;
        const parsed = parseEventLine(line.text);
        if (parsed.kind === "event" && parsed.seq > afterSeq) yield parsed.envelope;
      }
      for (;;) {
        const item = await tail.next();
        if (item.kind === "ended") return;
        if (item.kind === "lagged") break;
        // Stored just before this tail began, so it came from the log already.
        if (item.end !== undefined && item.end <= position) continue;
        position = item.end ?? position;
        if ((item.envelope.seq ?? Number.POSITIVE_INFINITY) > afterSeq) yield item.envelope;
      }
    } finally {
      tail.close();
    }
  }
}

async function* logLines(path: string, range: ByteRange): AsyncGenerator<FileLine, void, undefined> {
  try {
    yield* readLines(path, range);
  } catch (error) {
    throw toStoreFailure(error, path);
  }
}
