import type { FileHandle } from "node:fs/promises";
import { parseEventLine } from "../../codec/event-line.ts";
import { LINE_END } from "./log-tail.ts";

const WINDOW_BYTES = 64 * 1024;

/** Start of a line in an event log. */
export interface LogPosition {
  /** Number of bytes before the line. */
  readonly offset: number;
  /** Number of lines before this line. Only known if each line contains exactly one event. */
  readonly lines: number;
}

/** A line with its position in the log. */
interface PlacedLine {
  readonly offset: number;
  readonly line: Buffer;
}

/**
 * Yields complete lines of a log, starting after the first line end at or after `offset`.
 */
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

/**
 * Starts at the first line end at or after `offset`, and resolves with the first readable event that follows it.
 * `undefined` if no such event begins before `limit`.
 */
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
 * Finds the start of a line shortly before the first event after `afterSeq`. Event numbers increase from line to line,
 * so binary search is used: reading the end of a long log takes no longer than for a short log. See durability promise
 * D8.
 */
export async function findEvent(
  file: FileHandle,
  { runId, afterSeq }: { runId: string; afterSeq: number },
): Promise<LogPosition> {
  let position: LogPosition = { offset: 0, lines: 0 };
  let limit = afterSeq === 0 ? 0 : (await file.stat()).size;
  while (limit - position.offset > WINDOW_BYTES) {
    const offset = Math.floor((position.offset + limit) / 2);
    const found = await nextEvent(file, { runId, offset, limit });
    if (found === undefined || found.seq > afterSeq) limit = offset;
    else position = { offset: found.offset, lines: found.seq - 1 };
  }
  return position;
}
