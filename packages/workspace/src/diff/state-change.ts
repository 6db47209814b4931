import { constants } from "node:fs";

/** A file, folder or link, as printed by the shell function `print_state`. */
interface StateEntry {
  /** Kind of entry. `special` means a pipe, socket or device. */
  readonly type: "file" | "folder" | "link" | "special";
  /** Permission bits. */
  readonly mode: number;
}

/** Change of one path. */
export interface StateChange {
  /** Path relative to the workspace, as a string of one character per byte. `.` is the workspace itself. */
  readonly path: string;
  /** State of the path before the run. `undefined` if the path did not exist. */
  readonly before?: StateEntry | undefined;
  /** State of the path after the run. `undefined` if the path no longer exists. */
  readonly after?: StateEntry | undefined;
}

const TYPES: ReadonlyMap<number, StateEntry["type"]> = new Map([
  [constants.S_IFREG, "file"],
  [constants.S_IFDIR, "folder"],
  [constants.S_IFLNK, "link"],
]);

const LETTERS: ReadonlyMap<string, StateEntry["type"]> = new Map([
  ["f", "file"],
  ["d", "folder"],
  ["l", "link"],
]);

/**
 * Parses the kind and mode at the start of a line. If `find` printed them, they are a letter and an octal number.
 * Otherwise they are one hexadecimal number.
 */
function parseEntry(text: string): StateEntry {
  if (text.charAt(1) === ":") {
    return { type: LETTERS.get(text.charAt(0)) ?? "special", mode: Number.parseInt(text.slice(2), 8) };
  }
  const bits = Number.parseInt(text, 16);
  return { type: TYPES.get(bits & constants.S_IFMT) ?? "special", mode: bits & 0o7777 };
}

/**
 * Parses the lines of `print_state` that differ between two states of a workspace. Lines of the later state start with
 * a tab.
 */
export function parseStateLines(lines: readonly string[]): StateChange[] {
  const changes = new Map<string, StateChange>();
  for (const line of lines) {
    const isAfter = line.startsWith("\t");
    const text = isAfter ? line.slice(1) : line;
    const end = text.indexOf("\t");
    const path = text.slice(end + 1).replaceAll("\u0001", "\n") || ".";
    const entry = parseEntry(text);
    changes.set(path, { ...(changes.get(path) ?? { path }), ...(isAfter ? { after: entry } : { before: entry }) });
  }
  return [...changes.values()];
}
