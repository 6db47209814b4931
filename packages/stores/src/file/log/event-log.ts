import { join } from "node:path";
import type { EngineError, Envelope, EventText } from "@switchyard/contracts";
import { eventLine, parseEventLine, problemOfEvent } from "../../codec/event-line.ts";
import { malformedRecord } from "../../codec/run-documents.ts";
import { openToRead } from "../disk/read-file.ts";
import type { StoreFiles } from "../disk/store-files.ts";
import type { HeldLease } from "../lease/held-lease.ts";
import { type RunLocation, toProblem } from "../run/read-documents.ts";
import { RUN_FILES } from "../run/run-layout.ts";
import type { StoreContext } from "../run/store-context.ts";
import { type AppendLog, createAppendLog } from "./append-log.ts";
import { beginRead } from "./begin-read.ts";
import { findEvent } from "./find-event.ts";
import { LINE_END, linesBackwards } from "./log-tail.ts";
import { prepareLog } from "./prepare-log.ts";

const WINDOW_BYTES = 64 * 1024;

/**
 * Resolves with the number of the last event in a log. The last line of the log must be complete. Each damaged line
 * counts as one event.
 */
export async function readLastSeq({ path, runId }: { path: string; runId: string }): Promise<number> {
  const file = await openToRead(path);
  if (file === undefined) throw malformedRecord(path, "it is missing");
  try {
    let [isEnd, damaged] = [true, 0];
    for await (const line of linesBackwards(file)) {
      // The lines are read backwards. The first piece is the empty text after the last line ending.
      if (!isEnd) {
        const parsed = parseEventLine(line, runId);
        if (parsed.kind !== "damaged") return parsed.seq + damaged;
        damaged += 1;
      }
      isEnd = false;
    }
    return damaged;
  } finally {
    await file.close();
  }
}

/** Writes the event log of a run. Contract: one call at a time. */
export interface EventLog {
  /** Number of the last stored event. */
  readonly lastSeq: number;
  /**
   * Stores events. Rejects with `store.stale_epoch`, `run.store_failed` or `run.malformed_record`. See durability
   * promise D8.
   */
  append(events: readonly EventText[]): Promise<void>;
  /**
   * Flushes all stored events, so that they survive a power failure. Rejects with `store.stale_epoch` or
   * `run.store_failed`.
   */
  sync(): Promise<void>;
  /** Closes the log. */
  close(): Promise<void>;
}

/**
 * Creates the object that writes a run's event log. The log must end with a complete line; the number of its last event
 * is given.
 */
export function createEventLog(
  files: StoreFiles,
  lease: HeldLease,
  { path, size, lastSeq }: { path: string; size: number; lastSeq: number },
): EventLog {
  let [last, bytes] = [lastSeq, size];
  let log: AppendLog | undefined;
  let isBroken = false;

  /** After a failed write or flush, replaces the log by a copy without partial lines. */
  async function renew(): Promise<void> {
    const broken = log;
    log = undefined;
    await broken?.close();
    bytes = await prepareLog(path, { files, copyIn: lease.path, retainsDamage: false });
    isBroken = false;
  }
  async function open(): Promise<AppendLog> {
    lease.check();
    try {
      isBroken ||= log?.isBroken === true;
      if (isBroken) await renew();
      log ??= createAppendLog(await files.open(path, "append"), { lease, path, size: bytes });
      return log;
    } catch (error) {
      throw lease.failure(error, path);
    }
  }
  return {
    get lastSeq() {
      return last;
    },
    append: async (events) => {
      let seq = last;
      for (const event of events) {
        const problem = problemOfEvent(event, seq);
        if (problem !== undefined) throw malformedRecord(path, problem);
        seq = event.seq;
      }
      if (seq === last) return lease.check();
      // The lines are combined into one buffer, so that they are written with one call.
      const lines = Buffer.from(events.map(eventLine).join(""));
      const target = log?.isBroken === false ? log : await open();
      await target.append([lines], { isDurable: false });
      last = seq;
    },
    sync: async () => {
      await (log?.isBroken === false ? log : await open()).sync();
    },
    close: async () => {
      const opened = log;
      bytes = opened?.size ?? bytes;
      log = undefined;
      await opened?.close();
    },
  };
}

/** Complete lines of a log, and the number of lines in the log that precede them. */
interface LineBatch {
  readonly before: number;
  readonly lines: readonly Buffer[];
}

/**
 * Yields the log lines of the events after a given event, in batches, so that memory use does not grow with the file.
 * Some lines of earlier events may be included.
 */
async function* lineBatches(
  path: string,
  event: { runId: string; afterSeq: number },
): AsyncGenerator<LineBatch, void, undefined> {
  const file = await openToRead(path);
  if (file === undefined) throw malformedRecord(path, "it is missing");
  try {
    let { offset, lines: before } = await findEvent(file, event);
    let carried: Buffer[] = [];
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(WINDOW_BYTES), 0, WINDOW_BYTES, offset);
      if (bytesRead === 0) return;
      offset += bytesRead;
      const lines: Buffer[] = [];
      let start = 0;
      for (let at = buffer.indexOf(LINE_END); at >= 0 && at < bytesRead; at = buffer.indexOf(LINE_END, start)) {
        lines.push(Buffer.concat([...carried, buffer.subarray(start, at)]));
        carried = [];
        start = at + 1;
      }
      carried.push(buffer.subarray(start, bytesRead));
      yield { before, lines };
      before += lines.length;
    }
  } finally {
    await file.close();
  }
}

function gapIn(line: number, seq: number, lastSeq: number): string {
  return `line ${line}: event ${seq} does not follow event ${lastSeq}`;
}

/**
 * Streams the events of a log after `afterSeq`. Damaged lines are skipped; after all other events,
 * `run.malformed_record` is thrown for the first of them. Events written after the loss of a lease are never returned.
 * See durability promise D8.
 */
export async function* readEvents(
  context: StoreContext,
  { runId, folder }: RunLocation,
  afterSeq: number,
): AsyncGenerator<Envelope, void, undefined> {
  const path = join(folder, RUN_FILES.events);
  let position = afterSeq;
  let damage: EngineError | undefined;
  let isComplete = false;
  while (!isComplete) {
    const isSettled = await beginRead(context, folder);
    isComplete = true;
    try {
      for await (const { before, lines } of lineBatches(path, { runId, afterSeq: position })) {
        isComplete = isSettled();
        if (!isComplete) break;
        for (const [index, line] of lines.entries()) {
          const number = before + index + 1;
          const parsed = parseEventLine(line, runId);
          if (parsed.kind === "damaged") damage ??= malformedRecord(path, `line ${number}: ${parsed.problem}`);
          else if (parsed.seq > position) {
            if (parsed.seq !== position + 1) damage ??= malformedRecord(path, gapIn(number, parsed.seq, position));
            position = parsed.seq;
            if (parsed.kind === "event") yield parsed.envelope;
          }
        }
      }
    } catch (error) {
      throw toProblem(error, path);
    }
  }
  if (damage !== undefined) throw damage;
}
