import type { EngineError, Envelope } from "@switchyard/contracts";
import { parseEventLine } from "./event-line.ts";
import { malformedRecord } from "./run-documents.ts";
import { splitLines } from "./split-lines.ts";

/** Range of a run's events to read. */
export interface ReadEvents {
  readonly runId: string;
  /** Location of the run, for error messages. */
  readonly path: string;
  /** Number of an event. Only events after it are read. */
  readonly afterSeq: number;
}

/** Parses log lines of events in order, and remembers the first damaged line. */
export class EventReader {
  readonly #events: ReadEvents;
  #lastSeq: number;
  /** Error for the first damaged or missing event. `undefined` while none is known. */
  damage: EngineError | undefined;

  constructor(events: ReadEvents) {
    this.#events = events;
    this.#lastSeq = events.afterSeq;
  }

  /** Yields the events in log lines. Skips damaged events and, at the beginning, events before the wanted ones. */
  *read(lines: Uint8Array): Generator<Envelope, void, undefined> {
    const { runId, afterSeq } = this.#events;
    for (const line of splitLines(lines)) {
      const parsed = parseEventLine(line, runId);
      if (parsed.kind === "damaged") {
        this.note(`the event after event ${this.#lastSeq}: ${parsed.problem}`);
        continue;
      }
      // The first lines may be those of events before the wanted ones.
      if (parsed.seq <= afterSeq) continue;
      if (parsed.seq !== this.#lastSeq + 1) this.note(`event ${parsed.seq} does not follow event ${this.#lastSeq}`);
      this.#lastSeq = parsed.seq;
      if (parsed.kind === "event") yield parsed.envelope;
    }
  }

  /** Called at the end with the number of the last event. Checks that no event is missing. */
  finish(number: number): void {
    if (number > this.#lastSeq) this.note(`the events ${this.#lastSeq + 1} to ${number} are missing`);
  }

  /** Remembers a problem as damage, unless damage is already known. */
  note(problem: string): void {
    this.damage ??= malformedRecord(this.#events.path, problem);
  }
}
