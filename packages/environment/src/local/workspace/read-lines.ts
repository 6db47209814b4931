import type { FileHandle } from "node:fs/promises";
import type { ReadFileOptions } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { createLineCounter, type LineCounter } from "./line-counter.ts";
import type { FileMarks } from "./line-index.ts";

const NEWLINE = 0x0a;

/** Reads bytes of a file at an offset. */
export interface ByteReader {
  read(...args: [chunk: Buffer, offset: number, length: number, position: number]): Promise<{
    readonly bytesRead: number;
  }>;
}

/** A file from which a range of lines is read. */
export interface LineSource {
  /** Path for error messages. */
  readonly path: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Known byte offsets of lines in the file. */
  readonly marks: FileMarks;
  /** Maximum size of the requested lines, in bytes. */
  readonly maxBytes: number;
}

/**
 * Reads the bytes of a range of lines, line endings included. If consecutive ranges are concatenated, the result equals
 * the file. Memory use is one read buffer plus the requested lines, regardless of the file size. Throws
 * `environment.file_too_large` if the requested lines are too large.
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

/** Parameters for finding the start of a line in a file. */
export interface LineSearch {
  /** Read buffer in which line ends are counted. */
  readonly counter: LineCounter;
  /** Known byte offsets of lines. Offsets found by the search are added. */
  readonly marks: FileMarks;
  /** Line number, 1-based. */
  readonly line: number;
}

/** Resolves with the offset of a line's first byte. `undefined` if the file has fewer lines. */
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
  let bytesTaken = 0;
  let missing = lineCount;
  while (missing > 0) {
    // The first read is small, because most callers request only a few lines of a large file.
    const wanted = Number.isFinite(lineCount) && bytesTaken === 0 ? Math.min(chunk.length, 64 * 1024) : chunk.length;
    const { bytesRead } = await file.read(chunk, 0, wanted, start + bytesTaken);
    if (bytesRead === 0) break;
    const length = lengthOfLines(chunk.subarray(0, bytesRead), missing);
    missing -= length.lines;
    bytesTaken += length.bytes;
    if (bytesTaken > source.maxBytes) throw tooLarge(source);
    pieces.push(Buffer.from(chunk.subarray(0, length.bytes)));
  }
  return Buffer.concat(pieces, bytesTaken);
}

/** Returns the number of bytes at the start of a chunk that contain the next `count` lines. */
function lengthOfLines(chunk: Buffer, count: number): { bytes: number; lines: number } {
  if (!Number.isFinite(count)) return { bytes: chunk.length, lines: 0 };
  let lines = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
    lines += 1;
    if (lines === count) return { bytes: at + 1, lines };
  }
  return { bytes: chunk.length, lines };
}

/** Creates the error for exceeding the maximum number of bytes. */
export function tooLarge({ path, size, maxBytes }: Pick<LineSource, "path" | "size" | "maxBytes">): EngineError {
  return new EngineError("environment.file_too_large", { path, bytes: size, maxBytes });
}
