import type { BigIntStats } from "node:fs";

/** Number of files whose marks are stored. */
const MAX_FILES = 16;
/** Maximum number of marks per file: one for each MiB of a 64 GiB file. */
const MAX_MARKS = 65_536;

/** An offset in a file whose line number is known. */
interface LineMark {
  /** Offset in bytes. */
  readonly byte: number;
  /** Number of line ends before the offset. */
  readonly linesBefore: number;
}

/** Marks of one version of a file. */
export interface FileMarks {
  /** Returns the last mark at or before a 1-based line. */
  before(line: number): LineMark;
  /** Adds a mark. Marks are added in order. */
  add(mark: LineMark): void;
}

/** Stores offsets of lines, so that a later window of an unchanged large file needs no scan from its start. */
export interface LineIndex {
  /** Returns the marks of a file; empty ones if the file has changed. */
  marksOf(file: BigIntStats): FileMarks;
}

/** Creates an index that keeps the most recently used files. */
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

/** Creates empty marks for a file. */
export function createFileMarks(): FileMarks {
  const start: LineMark = { byte: 0, linesBefore: 0 };
  const marks: LineMark[] = [start];
  return {
    before(line) {
      let low = 0;
      let high = marks.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        // A line starts right after the previous line end, so the mark must be before that line end.
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
