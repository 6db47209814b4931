import { constants } from "node:fs";

/** One file, folder or link as `list_state` sees it. */
interface StateEntry {
  /** Kind; pipes, sockets and devices are special. */
  readonly type: "file" | "folder" | "link" | "special";
  /** Permission bits. */
  readonly mode: number;
}

/** What became of one path. */
export interface StateChange {
  /** Path, relative to the workspace, one character per byte. */
  readonly path: string;
  /** `undefined` if it did not exist. */
  readonly before?: StateEntry | undefined;
  /** `undefined` if it does not exist. */
  readonly after?: StateEntry | undefined;
}

const TYPES: ReadonlyMap<number, StateEntry["type"]> = new Map([
  [constants.S_IFREG, "file"],
  [constants.S_IFDIR, "folder"],
  [constants.S_IFLNK, "link"],
]);

/** Reads lines of `list_state` that differ; those of the later state begin with a tab. */
export function parseStateLines(lines: readonly string[]): StateChange[] {
  const changes = new Map<string, StateChange>();
  for (const line of lines) {
    const isAfter = line.startsWith("\t");
    const text = isAfter ? line.slice(1) : line;
    const end = text.indexOf("\t");
    const path = text.slice(end + 1).replaceAll("\u0001", "\n");
    if (path === ".") continue;
    const bits = Number.parseInt(text, 16);
    const entry: StateEntry = { type: TYPES.get(bits & constants.S_IFMT) ?? "special", mode: bits & 0o7777 };
    changes.set(path, { ...(changes.get(path) ?? { path }), ...(isAfter ? { after: entry } : { before: entry }) });
  }
  return [...changes.values()];
}
