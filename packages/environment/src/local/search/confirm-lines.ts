import { closeSync, read, readSync } from "node:fs";
import { promisify } from "node:util";
import type { GrepMatch } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import { decodeLine } from "../../search/decode-line.ts";
import { utf16Of } from "../../search/decode-utf16.ts";
import { boundLine, withoutReturn } from "../../search/match-collector.ts";
import { readNumberedLines } from "../../search/read-numbered-lines.ts";
import type { TimeSlicer } from "../../search/time-slicer.ts";
import { createTimeSlicer } from "../../search/time-slicer.ts";
import { plainLineCounter } from "../workspace/line-counter.ts";
import { createFileMarks } from "../workspace/line-index.ts";
import type { LocalWorkspace } from "../workspace/pin-path.ts";
import { openFileNow } from "../workspace/pin-path.ts";
import { openForReading } from "../workspace/read-file.ts";
import type { LineSearch } from "../workspace/read-lines.ts";
import { findLine } from "../workspace/read-lines.ts";
import { systemCodeOf } from "../workspace/to-file-error.ts";
import type { LocatedMatch } from "./parse-ripgrep.ts";

const CHUNK_BYTES = 256 * 1024;
/**
 * Maximum number of bytes that are read of each line, enough for the maximum number of characters that a search returns
 * per line.
 */
const MAX_LINE_BYTES = 4100;
const NEWLINE = 0x0a;

const readBytes = promisify(read);

/**
 * Returns those of ripgrep's matches that are really in the workspace. ripgrep opens files by name: if a folder is
 * replaced by a link during the search, ripgrep can read files outside the workspace. Each matching line is therefore
 * read again, through a path that was verified after opening. Lines that are not found are dropped.
 */
export async function confirmLines(workspace: LocalWorkspace, matches: readonly LocatedMatch[]): Promise<GrepMatch[]> {
  const confirmed: GrepMatch[] = [];
  const byPath = new Map<string, LocatedMatch[]>();
  for (const match of matches) {
    const known = byPath.get(match.path);
    if (known === undefined) byPath.set(match.path, [match]);
    else known.push(match);
  }
  const [chunk, turns] = [Buffer.allocUnsafe(CHUNK_BYTES), createTimeSlicer()];
  for (const [path, found] of byPath) {
    for (const match of await confirmFile(workspace, path, { found, chunk, turns })) confirmed.push(match);
  }
  return confirmed;
}

interface FoundInFile {
  readonly found: readonly LocatedMatch[];
  readonly chunk: Buffer;
  readonly turns: TimeSlicer;
}

async function confirmFile(workspace: LocalWorkspace, path: string, found: FoundInFile): Promise<GrepMatch[]> {
  try {
    const file = openFileNow(workspace, resolveWorkspacePath(workspace, path).absolute);
    if (file !== undefined) {
      try {
        return await confirmIn(file.descriptor, found);
      } finally {
        closeSync(file.descriptor);
      }
    }
    await using opened = await openForReading(workspace, path);
    return await confirmIn(opened.fd, found);
  } catch (error) {
    // The file was removed or replaced in the meantime.
    if (EngineError.is(error) || systemCodeOf(error) !== undefined) return [];
    throw error;
  }
}

async function confirmIn(descriptor: number, { found, chunk, turns }: FoundInFile): Promise<GrepMatch[]> {
  if (isUtf16(descriptor, chunk)) return confirmDecoded(descriptor, { found, chunk, turns });
  const marks = createFileMarks();
  const confirmed: GrepMatch[] = [];
  for (const { byte, ...match } of found) {
    if (turns.isOver()) await turns.next();
    const near = byte === undefined ? undefined : readLineAt(descriptor, chunk, byte);
    // If the file has a byte order mark or another encoding, ripgrep's byte offsets differ from those of the file.
    const text = isTextOf(match, near)
      ? near
      : await readLine(descriptor, { counter: plainLineCounter(chunk), marks, line: match.line });
    if (isTextOf(match, text)) confirmed.push({ ...match, text });
  }
  return confirmed;
}

/** Returns whether a file starts with a UTF-16 byte order mark. ripgrep's offsets do not apply to such a file. */
function isUtf16(descriptor: number, chunk: Buffer): boolean {
  return utf16Of(chunk.subarray(0, readSync(descriptor, chunk, 0, 2, 0))) !== undefined;
}

async function* readChunks(descriptor: number, chunk: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const { bytesRead } = await readBytes(descriptor, chunk, 0, chunk.length, at);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Returns the matches that were found again in a UTF-16 file. The file is read up to the last match. */
async function confirmDecoded(descriptor: number, { found, chunk, turns }: FoundInFile): Promise<GrepMatch[]> {
  const wanted = new Map(found.map(({ byte: _, ...match }) => [match.line, match]));
  const last = Math.max(...wanted.keys());
  const confirmed: GrepMatch[] = [];
  for await (const lines of readNumberedLines(readChunks(descriptor, chunk))) {
    if (turns.isOver()) await turns.next();
    for (const { number, text: fullText } of lines) {
      const match = wanted.get(number);
      const text = boundLine(fullText);
      if (match !== undefined && isTextOf(match, text)) confirmed.push({ ...match, text });
    }
    if ((lines.at(-1)?.number ?? 0) >= last) break;
  }
  return confirmed;
}

function isTextOf(match: GrepMatch, text: string | undefined): text is string {
  // ripgrep adds a carriage return to a last line that has no line ending.
  return text !== undefined && (text === match.text || `${text}\r` === match.text);
}

/**
 * Returns the line that starts at a byte offset, or `undefined`. Reads synchronously, which takes a tenth of the time
 * of an asynchronous read.
 */
function readLineAt(descriptor: number, chunk: Buffer, at: number): string | undefined {
  // The preceding byte is read too, to check that a line starts at the offset.
  const before = Math.min(1, at);
  const bytesRead = readSync(descriptor, chunk, 0, MAX_LINE_BYTES + before, at - before);
  if (bytesRead < before || (before > 0 && chunk[0] !== NEWLINE)) return undefined;
  return toLine(chunk.subarray(before, bytesRead), at);
}

/**
 * Reads a line by its number. This is slow for a line near the end of a large file, because the file is scanned from
 * its start.
 */
async function readLine(descriptor: number, search: LineSearch): Promise<string | undefined> {
  const at = await findLine({ read: (...range) => readBytes(descriptor, ...range) }, search);
  if (at === undefined) return undefined;
  const { chunk } = search.counter;
  const { bytesRead } = await readBytes(descriptor, chunk, 0, MAX_LINE_BYTES, at);
  return toLine(chunk.subarray(0, bytesRead), at);
}

/** Converts the bytes of a line to text as ripgrep would return it: without a byte order mark, and truncated. */
function toLine(bytes: Buffer, at: number): string {
  const end = bytes.indexOf(NEWLINE);
  const text = decodeLine(end < 0 ? bytes : bytes.subarray(0, end));
  return boundLine(withoutReturn(at === 0 && text.startsWith("\ufeff") ? text.slice(1) : text));
}
