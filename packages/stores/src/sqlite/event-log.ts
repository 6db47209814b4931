import type { EventText } from "@switchyard/contracts";
import { createSerial } from "../codec/create-serial.ts";
import { eventLine, problemOfEvent } from "../codec/event-line.ts";
import { malformedRecord } from "../codec/run-documents.ts";
import type { HeldLease } from "./lease-registry.ts";
import type { Database } from "./open-database.ts";

/** Options for writing the event log of a run. */
export interface EventLogOptions {
  readonly lease: HeldLease;
  /** Location of the run, for error messages. */
  readonly path: string;
  /** Number of the last stored event. */
  readonly lastSeq: number;
}

/** Writes the events of one run. */
export interface EventLog {
  /** Number of the last stored event. */
  readonly lastSeq: number;
  /**
   * Stores events. When the promise resolves, they survive the end of this process. They survive a power failure after
   * the next flush.
   */
  append(events: readonly EventText[]): Promise<void>;
  /** Resolves when all pending events are stored or rejected. */
  settle(): Promise<void>;
}

/** Creates the object that writes the events of a run. This process must hold the run's lease. */
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
