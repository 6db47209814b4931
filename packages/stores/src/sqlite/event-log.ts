import type { EventText } from "@switchyard/contracts";
import { createSerial } from "../codec/create-serial.ts";
import { eventLine, problemOfEvent } from "../codec/event-line.ts";
import { malformedRecord } from "../codec/run-documents.ts";
import type { HeldLease } from "./lease-keeper.ts";
import type { Database } from "./open-database.ts";

/** Where the events of a run go. */
export interface EventLogOptions {
  readonly lease: HeldLease;
  /** What errors call the place where the run is kept. */
  readonly path: string;
  /** Number of the last event that is kept. */
  readonly lastSeq: number;
}

/** The events of one run, to append to. */
export interface EventLog {
  /** Number of the last event that is kept. */
  readonly lastSeq: number;
  /** Keeps events; they survive the end of this process at once, and the loss of power with the next flush. */
  append(events: readonly EventText[]): Promise<void>;
  /** Resolves when what was asked for before is kept or refused. */
  settle(): Promise<void>;
}

/** The log of a run whose lease is held. */
export function createEventLog(database: Database, { lease, path, lastSeq: first }: EventLogOptions): EventLog {
  const inTurn = createSerial();
  let lastSeq = first;

  async function append(events: readonly EventText[]): Promise<void> {
    lease.checkHeld();
    let last = lastSeq;
    for (const event of events) {
      const problem = problemOfEvent(event, last);
      if (problem !== undefined) throw malformedRecord(path, problem);
      last = event.seq;
    }
    const lines = Buffer.from(events.map(eventLine).join(""));
    await database.write((run) => {
      lease.check(run);
      if (events.length > 0) run("addEvents").run([lease.key, last, lines]);
    }, "process");
    lastSeq = last;
  }
  return {
    get lastSeq() {
      return lastSeq;
    },
    append: (events) => inTurn(() => append(events)),
    settle: () => inTurn(async () => undefined),
  };
}
