import type { Envelope } from "@switchyard/contracts";
import { EventReader } from "../codec/event-reader.ts";
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
/**
 * Yields the stored events of a run. Skips damaged events. After all other events, throws `run.malformed_record` for
 * the first damaged one.
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
