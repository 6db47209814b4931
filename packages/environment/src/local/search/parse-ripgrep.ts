import type { GrepMatch } from "@switchyard/contracts";
import { decodeLine } from "../../search/decode-line.ts";
import { withoutReturn } from "../../search/match-collector.ts";
import type { SearchRequest } from "../../search/search-request.ts";

const NUL = 0;
const NEWLINE = 0x0a;
const ZERO = 0x30;
const DASH = 0x2d;
const WARNING = ": WARNING: ";
/**
 * Message that ripgrep prints if a file turns out to be binary after its first matches. Unlike other output, it
 * contains no NUL.
 */
const BINARY_WARNING =
  /^.*: WARNING: stopped searching binary file after match \(found "\\0" byte around offset \d+\)\n/s;

/** Parses ripgrep's output, which may arrive in chunks of any size. Returns false when no more output is needed. */
export type OutputParser = (chunk: Buffer) => boolean;

/** Creates a parser for NUL-terminated paths. Each chunk is decoded as a whole because there may be very many paths. */
export function createPathParser(onPath: (path: string) => boolean): OutputParser {
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const end = bytes.lastIndexOf(NUL) + 1;
    pending = Buffer.from(bytes.subarray(end));
    // The bytes end with a NUL, so the text is split without this last NUL.
    const paths = end === 0 ? [] : bytes.toString("utf8", 0, end - 1).split("\0");
    return paths.every((path) => onPath(withoutDot(path)));
  };
}

/** A line and, if requested, its byte offset in the file. */
export type LocatedMatch = GrepMatch & { readonly byte?: number | undefined };

/** Creates a parser for the output of a line search with byte offsets. */
export function createLocatedMatchParser(onMatch: (match: LocatedMatch) => boolean): OutputParser {
  return createRecordParser((path, bytes) => {
    const line = readNumber(bytes, 0);
    const byte = readNumber(bytes, line.end);
    const text = toText(bytes, byte.end);
    return onMatch({ path, line: line.value, text, isContext: line.isContext, byte: byte.value });
  });
}

/**
 * Creates a parser for the output of a search: in `count` mode, a count for each file; in `files` mode, one line for
 * each file; otherwise all matching lines.
 */
export function createMatchParser(mode: SearchRequest["mode"], onMatch: (match: GrepMatch) => boolean): OutputParser {
  return createRecordParser((path, bytes) => {
    if (mode === "count") return onMatch({ path, line: 0, text: toText(bytes, 0), isContext: false });
    const { value: line, end, isContext } = readNumber(bytes, 0);
    return onMatch({ path, line, text: toText(bytes, end), isContext });
  });
}

/** Files that a script passes to ripgrep, one after another, as standard input. */
export interface InputFiles {
  /** Unique text that marks records with the number of a file. Such a record precedes each file's output. */
  readonly tag: string;
  readonly paths: readonly string[];
}

/**
 * Creates a parser for the output of several searches of standard input. A record before each search's output
 * identifies the file.
 */
export function createInputParser({ tag, paths }: InputFiles, onMatch: (match: GrepMatch) => boolean): OutputParser {
  let path: string | undefined;
  return createRecordParser((name, bytes) => {
    const { value: line, end, isContext } = readNumber(bytes, 0);
    // For a binary file, ripgrep prints a message without a path. It is read as the beginning of the next path.
    if (!name.endsWith(tag)) return path === undefined || onMatch({ path, line, text: toText(bytes, end), isContext });
    path = paths[line];
    return true;
  });
}

/** A line number or byte offset at the start of a record. */
interface Prefix {
  readonly value: number;
  /** Index after the number and the separator that follows it. If there is no number, the start index. */
  readonly end: number;
  /** True if the separator after the number marks a context line, as opposed to a match. */
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

/**
 * Creates a parser that splits bytes into records: a NUL-terminated path, then a line. Records of the same file are
 * consecutive, so the last path is cached.
 */
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
      // The path is copied because the chunk's buffer is reused.
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
