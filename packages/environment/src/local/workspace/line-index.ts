import type { BigIntStats } from "node:fs";

/** Number of files for which offsets of lines are stored. */
const MAX_FILES = 16;
/** Maximum number of line offsets stored per file: one for each MiB of a 64 GiB file. */
const MAX_MARKS = 65_536;

/** A byte offset in a file, and the number of line ends before it. */
interface LineMark {
  /** Offset in bytes. */
  readonly byte: number;
  /** Number of line ends before the offset. */
  readonly linesBefore: number;
}

/** Known line offsets of a file, valid as long as the file does not change. */
export interface FileMarks {
  /** Returns the nearest known offset that is not after the start of a 1-based line. */
  before(line: number): LineMark;
  /** Adds an offset and the number of line ends before it. Offsets must be added in ascending order. */
  add(mark: LineMark): void;
}

/**
 * Stores byte offsets of lines, so that later reads of an unchanged large file need no scan from the start of the file.
 */
export interface LineIndex {
  /** Returns the known line offsets of a file. If the file has changed since, its old offsets are discarded. */
  marksOf(file: BigIntStats): FileMarks;
}

/** Creates an index of line offsets for the most recently used files. */
export function createLineIndex(): LineIndex {
  const files = new Map<string, { version: string; marks: FileMarks }>();
  return {
    marksOf(file) {
      const key = `${file.dev}:${file.ino}`;
      const version = `${file.size}:${file.mtimeNs}:${file.ctimeNs}`;
      const known = files.get(key);
      const entry = known?.version === version ? known : { version, marks: createFileMarks() };
      files.delete(key);
      files.set(key, entry);
      const oldest = files.keys().next();
      if (files.size > MAX_FILES && oldest.done !== true) files.delete(oldest.value);
      return entry.marks;
    },
  };
}

/** Creates an empty collection of line offsets for one file. */
export function createFileMarks(): FileMarks {
  const start: LineMark = { byte: 0, linesBefore: 0 };
  const marks: LineMark[] = [start];
  return {
    before(line) {
      let low = 0;
      let high = marks.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        // An offset with exactly `line - 1` line ends before it may be in the middle of the line. Only an offset with
        // fewer line ends before it is certainly not after the start of the line.
        if ((marks[middle]?.linesBefore ?? 0) < line - 1) low = middle;
        else high = middle - 1;
      }
      return marks[low] ?? start;
    },
    add(mark) {
      if (marks.length < MAX_MARKS && mark.byte > (marks.at(-1)?.byte ?? 0)) marks.push(mark);
    },
  };
}
