import type { GrepMatch } from "@switchyard/contracts";
import { decodeLine } from "../../search/decode-line.ts";
import { withoutReturn } from "../../search/match-collector.ts";
import type { SearchRequest } from "../../search/search-request.ts";

const NUL = 0;
const NEWLINE = 0x0a;
const ZERO = 0x30;
const DASH = 0x2d;
const WARNING = ": WARNING: ";
/** What ripgrep writes, without a NUL, when a file turns out to be binary behind its first matches. */
const BINARY_WARNING =
  /^.*: WARNING: stopped searching binary file after match \(found "\\0" byte around offset \d+\)\n/s;

/** Takes the output of ripgrep in chunks of any size. The handler answers false when it has enough. */
export type OutputParser = (chunk: Buffer) => boolean;

/** Reads a list of paths that end in NUL. All of a chunk are decoded together: lists are long. */
export function createPathParser(onPath: (path: string) => boolean): OutputParser {
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const end = bytes.lastIndexOf(NUL) + 1;
    pending = Buffer.from(bytes.subarray(end));
    // Behind the last NUL is nothing.
    const paths = end === 0 ? [] : bytes.toString("utf8", 0, end - 1).split("\0");
    return paths.every((path) => onPath(withoutDot(path)));
  };
}

/** A line with its place in the file in bytes, where that was asked for. */
export type LocatedMatch = GrepMatch & { readonly byte?: number | undefined };

/** Reads what a search for lines writes that tells their places. */
export function createLocatedMatchParser(onMatch: (match: LocatedMatch) => boolean): OutputParser {
  return createRecordParser((path, bytes) => {
    const line = readNumber(bytes, 0);
    const byte = readNumber(bytes, line.end);
    const text = toText(bytes, byte.end);
    return onMatch({ path, line: line.value, text, isContext: line.isContext, byte: byte.value });
  });
}

/** Reads what a search writes: a count for each file, or lines; in the mode `files` one line of each. */
export function createMatchParser(mode: SearchRequest["mode"], onMatch: (match: GrepMatch) => boolean): OutputParser {
  return createRecordParser((path, bytes) => {
    if (mode === "count") return onMatch({ path, line: 0, text: toText(bytes, 0), isContext: false });
    const { value: line, end, isContext } = readNumber(bytes, 0);
    return onMatch({ path, line, text: toText(bytes, end), isContext });
  });
}

/** Files that are searched one after another as standard input. */
export interface InputFiles {
  /** Path of the records that tell, by its number, which file comes next. */
  readonly tag: string;
  readonly paths: readonly string[];
}

/** Reads what searches of standard input write, a record in front of each that says which file it is. */
export function createInputParser({ tag, paths }: InputFiles, onMatch: (match: GrepMatch) => boolean): OutputParser {
  let path: string | undefined;
  return createRecordParser((name, bytes) => {
    const { value: line, end, isContext } = readNumber(bytes, 0);
    // Behind a binary file it says so first, on a line without a path.
    if (!name.endsWith(tag)) return path === undefined || onMatch({ path, line, text: toText(bytes, end), isContext });
    path = paths[line];
    return true;
  });
}

/** A number in front of what it is about. */
interface Prefix {
  readonly value: number;
  /** Behind its separator; where it began when no number is there. */
  readonly end: number;
  /** Whether its separator is the one of context. */
  readonly isContext: boolean;
}

function readNumber(bytes: Buffer, from: number): Prefix {
  let [value, at] = [0, from];
  for (; ; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return { value, end: at === from ? from : at + 1, isContext: at > from && bytes[at] === DASH };
}

function toText(bytes: Buffer, from: number): string {
  return withoutReturn(decodeLine(bytes.subarray(from)));
}

/** Splits bytes into records: a path that ends in NUL, and a line. Lines of a file come one after another. */
function createRecordParser(onRecord: (path: string, line: Buffer) => boolean): OutputParser {
  let pending: Buffer = Buffer.alloc(0);
  let last = { bytes: pending, path: "" };
  return (chunk) => {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let start = 0;
    for (;;) {
      const pathEnd = bytes.indexOf(NUL, start);
      const lineEnd = pathEnd < 0 ? -1 : bytes.indexOf(NEWLINE, pathEnd + 1);
      if (lineEnd < 0) break;
      const path = bytes.subarray(start, pathEnd);
      // Copied: the chunk is filled anew.
      if (!path.equals(last.bytes)) last = { bytes: Buffer.from(path), path: toPath(path) };
      start = lineEnd + 1;
      if (!onRecord(last.path, bytes.subarray(pathEnd + 1, lineEnd))) return false;
    }
    pending = Buffer.from(bytes.subarray(start));
    return true;
  };
}

function toPath(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  const path = text.includes(WARNING) ? text.replace(BINARY_WARNING, "") : text;
  return withoutDot(path);
}

function withoutDot(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path;
}
