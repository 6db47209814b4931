import type { EngineError, Envelope } from "@switchyard/contracts";
import { parseEventLine } from "../codec/event-line.ts";
import { malformedRecord } from "../codec/run-documents.ts";
import type { SqlRow } from "./libsql.ts";
import type { Database } from "./open-database.ts";

/** Parameters for reading events of a run. */
export interface EventRange {
  /** Key of the run. */
  readonly key: number;
  readonly runId: string;
  /** Location of the run, for error messages. */
  readonly path: string;
  /** Number of an event. Only events after it are read. */
  readonly afterSeq: number;
}

const ROWS_AT_A_TIME = 64;
const LINE_FEED = 0x0a;

function* linesOf(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start);
    yield bytes.subarray(start, end === -1 ? bytes.length : end);
    start = end === -1 ? bytes.length : end + 1;
  }
}

/** Parses database rows of events in order, and remembers the first damaged line. */
class EventReader {
  readonly #range: EventRange;
  #lastSeq: number;
  damage: EngineError | undefined;

  constructor(range: EventRange) {
    this.#range = range;
    this.#lastSeq = range.afterSeq;
  }

  *read(lines: Uint8Array): Generator<Envelope, void, undefined> {
    for (const line of linesOf(lines)) {
      const parsed = parseEventLine(line, this.#range.runId);
      if (parsed.kind === "damaged") {
        this.#note(`the event after event ${this.#lastSeq}: ${parsed.problem}`);
        continue;
      }
      // The first row may also contain events before the requested ones, which are skipped.
      if (parsed.seq <= this.#range.afterSeq) continue;
      if (parsed.seq !== this.#lastSeq + 1) this.#note(`event ${parsed.seq} does not follow event ${this.#lastSeq}`);
      this.#lastSeq = parsed.seq;
      if (parsed.kind === "event") yield parsed.envelope;
    }
  }

  #note(problem: string): void {
    this.damage ??= malformedRecord(this.#range.path, problem);
  }
}

/**
 * Yields the stored events of a run. Damaged events are skipped; after all others, `run.malformed_record` is thrown for
 * the first of them.
 */
export async function* storedEvents(database: Database, range: EventRange): AsyncGenerator<Envelope, void, undefined> {
  const reader = new EventReader(range);
  let rows: SqlRow[];
  let last = range.afterSeq;
  do {
    const from = last;
    rows = await database.read((get) => get("events").all([range.key, from, ROWS_AT_A_TIME]));
    for (const [seq, lines] of rows) {
      if (typeof seq !== "number" || !(lines instanceof Uint8Array)) continue;
      last = seq;
      yield* reader.read(lines);
    }
  } while (rows.length === ROWS_AT_A_TIME);
  if (reader.damage !== undefined) throw reader.damage;
}
