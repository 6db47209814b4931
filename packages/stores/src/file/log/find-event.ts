import type { FileHandle } from "node:fs/promises";
import { parseEventLine } from "../../codec/event-line.ts";
import { LINE_END } from "./log-tail.ts";

const WINDOW_BYTES = 64 * 1024;

/** A place in an event log where a line begins. */
export interface LogPlace {
  /** Bytes before it. */
  readonly offset: number;
  /** Number of lines before it, as long as every event has a line. */
  readonly lines: number;
}

/** A line with its first byte's place in the log. */
interface PlacedLine {
  readonly offset: number;
  readonly line: Buffer;
}

/** The whole lines that begin behind the first line end at or behind `offset`. */
async function* linesFrom(file: FileHandle, offset: number): AsyncGenerator<PlacedLine, void, undefined> {
  let [at, begin] = [offset, -1];
  let carried: Buffer[] = [];
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(WINDOW_BYTES), 0, WINDOW_BYTES, at);
    if (bytesRead === 0) return;
    const window = buffer.subarray(0, bytesRead);
    let start = 0;
    for (let end = window.indexOf(LINE_END); end >= 0; end = window.indexOf(LINE_END, start)) {
      if (begin >= 0) yield { offset: begin, line: Buffer.concat([...carried, window.subarray(start, end)]) };
      carried = [];
      start = end + 1;
      begin = at + start;
    }
    if (begin >= 0) carried.push(window.subarray(start));
    at += bytesRead;
  }
}

/** The first event that can be read behind the first line end at or behind `offset`, where it begins before `limit`. */
async function nextEvent(
  file: FileHandle,
  { runId, offset, limit }: { runId: string; offset: number; limit: number },
): Promise<{ offset: number; seq: number } | undefined> {
  for await (const placed of linesFrom(file, offset)) {
    if (placed.offset >= limit) return undefined;
    const parsed = parseEventLine(placed.line, runId);
    if (parsed.kind !== "damaged") return { offset: placed.offset, seq: parsed.seq };
  }
  return undefined;
}

/**
 * A place in an event log that has all events behind `afterSeq` behind it, and little else: numbers rise from line to
 * line, so it is looked for by halves, and reading on does not take longer the longer the log is. D8.
 */
export async function findEvent(
  file: FileHandle,
  { runId, afterSeq }: { runId: string; afterSeq: number },
): Promise<LogPlace> {
  let place: LogPlace = { offset: 0, lines: 0 };
  let limit = afterSeq === 0 ? 0 : (await file.stat()).size;
  while (limit - place.offset > WINDOW_BYTES) {
    const offset = Math.floor((place.offset + limit) / 2);
    const found = await nextEvent(file, { runId, offset, limit });
    if (found === undefined || found.seq > afterSeq) limit = offset;
    else place = { offset: found.offset, lines: found.seq - 1 };
  }
  return place;
}
