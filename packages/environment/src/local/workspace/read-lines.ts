import type { FileHandle } from "node:fs/promises";
import type { ReadFileOptions } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { createLineCounter, type LineCounter } from "./line-counter.ts";
import type { FileMarks } from "./line-index.ts";

const NEWLINE = 0x0a;

/** Reads bytes of a file at a place. */
export interface ByteReader {
  read(...place: [chunk: Buffer, offset: number, length: number, position: number]): Promise<{
    readonly bytesRead: number;
  }>;
}

/** Where a window is read from. */
export interface LineSource {
  /** Path for messages. */
  readonly path: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** What is known about its lines. */
  readonly marks: FileMarks;
  /** Most bytes of a window. */
  readonly maxBytes: number;
}

/**
 * Bytes of a window of lines, line ends included, so that windows put together give the file. Memory is one chunk and
 * the window, whatever the size of the file. Throws `environment.file_too_large` when the window is too large.
 */
export async function readLines(file: FileHandle, source: LineSource, window: ReadFileOptions): Promise<Buffer> {
  const firstLine = Math.max(1, Math.floor(window.offset ?? 1));
  const lineCount = window.limit === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(window.limit));
  if (lineCount === 0) return Buffer.alloc(0);
  const counter = createLineCounter(source.size);
  const start = await findLine(file, { counter, marks: source.marks, line: firstLine });
  if (start === undefined) return Buffer.alloc(0);
  return takeLines(file, source, { chunk: counter.chunk, start, lineCount });
}

/** A line that is looked for. */
export interface LineSearch {
  /** Room for what is read on the way, in which line ends are counted. */
  readonly counter: LineCounter;
  /** What is known about the lines of the file; more is added. */
  readonly marks: FileMarks;
  /** 1-based number. */
  readonly line: number;
}

/** Offset of the first byte of a line; undefined when the file has fewer. */
export async function findLine(file: ByteReader, { counter, marks, line }: LineSearch): Promise<number | undefined> {
  const mark = marks.before(line);
  let position = mark.byte;
  let missing = line - 1 - mark.linesBefore;
  const { chunk } = counter;
  while (missing > 0) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) return undefined;
    marks.add({ byte: position, linesBefore: line - 1 - missing });
    const lines = counter.countIn(bytesRead);
    if (lines >= missing) return position + lengthOfLines(chunk.subarray(0, bytesRead), missing).bytes;
    missing -= lines;
    position += bytesRead;
  }
  return position;
}

interface LineRun {
  readonly chunk: Buffer;
  readonly start: number;
  readonly lineCount: number;
}

async function takeLines(file: FileHandle, source: LineSource, { chunk, start, lineCount }: LineRun): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let taken = 0;
  let missing = lineCount;
  while (missing > 0) {
    // A short first read: most windows are a few lines of a large file.
    const wanted = Number.isFinite(lineCount) && taken === 0 ? Math.min(chunk.length, 64 * 1024) : chunk.length;
    const { bytesRead } = await file.read(chunk, 0, wanted, start + taken);
    if (bytesRead === 0) break;
    const length = lengthOfLines(chunk.subarray(0, bytesRead), missing);
    missing -= length.lines;
    taken += length.bytes;
    if (taken > source.maxBytes) throw tooLarge(source);
    pieces.push(Buffer.from(chunk.subarray(0, length.bytes)));
  }
  return Buffer.concat(pieces, taken);
}

/** How much of a chunk belongs to the next `count` lines. */
function lengthOfLines(chunk: Buffer, count: number): { bytes: number; lines: number } {
  if (!Number.isFinite(count)) return { bytes: chunk.length, lines: 0 };
  let lines = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
    lines += 1;
    if (lines === count) return { bytes: at + 1, lines };
  }
  return { bytes: chunk.length, lines };
}

/** The error for more bytes than are handed out at once. */
export function tooLarge({ path, size, maxBytes }: Pick<LineSource, "path" | "size" | "maxBytes">): EngineError {
  return new EngineError("environment.file_too_large", { path, bytes: size, maxBytes });
}
