import type { BigIntStats } from "node:fs";

/** Files whose marks are remembered. */
const MAX_FILES = 16;
/** Marks of one file: a mark for each MiB of a file of 64 GiB. */
const MAX_MARKS = 65_536;

/** A place in a file whose line number is known. */
interface LineMark {
  /** Offset in bytes. */
  readonly byte: number;
  /** Number of line ends before it. */
  readonly linesBefore: number;
}

/** Marks of one version of one file. */
export interface FileMarks {
  /** The last mark that is not behind the 1-based line. */
  before(line: number): LineMark;
  /** Remembers a mark; they come in order. */
  add(mark: LineMark): void;
}

/** Remembers where lines are, so that a later window of an unchanged large file needs no scan from its start. */
export interface LineIndex {
  /** Marks of a file; new ones when the file has changed. */
  marksOf(file: BigIntStats): FileMarks;
}

/** Makes an index that holds the files used last. */
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

/** Marks of a file of which nothing is known yet. */
export function createFileMarks(): FileMarks {
  const start: LineMark = { byte: 0, linesBefore: 0 };
  const marks: LineMark[] = [start];
  return {
    before(line) {
      let low = 0;
      let high = marks.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        // A line begins right after the line end before it: the mark must lie before that one.
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
