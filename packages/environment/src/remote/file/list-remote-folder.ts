import { isUtf8 } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { DirectoryEntry, EntryKind } from "@switchyard/contracts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import type { RemoteFiles } from "./remote-files.ts";
import { dataOf } from "./remote-files.ts";

/** One entry below a folder, as reported by the remote script. */
export interface RemoteEntry {
  /** Path relative to the listed folder, with `/` as separator. */
  readonly path: string;
  readonly kind: EntryKind;
  readonly size: number;
  readonly modifiedMs: number;
}

/** Bits of a file mode that contain the type of the entry. */
const KIND_BITS = 0o170000;
const KINDS: ReadonlyMap<number, EntryKind> = new Map([
  [0o100000, "file"],
  [0o040000, "directory"],
  [0o120000, "symlink"],
]);
const RECORD = /^([0-9a-f]+) (\d+) (-?\d+(?:\.\d+)?) (?:\.\/)?([\s\S]*)\n$/;
const MAX_DEPTH = 10_000;

/** Lists the entries of a folder, each followed by its contents, in character order of the names. */
export async function listRemoteFolder(files: RemoteFiles, path: string, depth: number): Promise<DirectoryEntry[]> {
  const { absolute } = resolveWorkspacePath(files.workspace, path);
  const tag = randomBytes(16).toString("hex");
  const levels = String(Math.max(0, Math.min(MAX_DEPTH, Math.floor(depth))));
  const response = await files.request({ operation: "list", args: [absolute, levels, tag] });
  const entries = parseRemoteEntries(dataOf(response, files, { operation: "list", path }), tag);
  return inOrder(entries).map(({ path: name, kind, size }) =>
    kind === "file" ? { name, kind, size } : { name, kind },
  );
}

/**
 * Parses the entries that the remote script listed. Each entry starts with the unique text `tag`. Names that are not
 * valid UTF-8 are skipped, because no path could refer to them.
 */
export function parseRemoteEntries(data: Buffer, tag: string): RemoteEntry[] {
  const entries: RemoteEntry[] = [];
  const start = Buffer.from(`${tag} `);
  for (let at = data.indexOf(start); at >= 0; ) {
    const next = data.indexOf(start, at + start.length);
    const entry = parseEntry(data.subarray(at + start.length, next < 0 ? data.length : next));
    if (entry !== undefined) entries.push(entry);
    at = next;
  }
  return entries;
}

function parseEntry(record: Buffer): RemoteEntry | undefined {
  const [, mode, size, seconds, path = ""] = RECORD.exec(record.toString("utf8")) ?? [];
  if (mode === undefined || (path.includes("\ufffd") && !isUtf8(record))) return undefined;
  const kind = KINDS.get(Number.parseInt(mode, 16) & KIND_BITS) ?? "other";
  return { path, kind, size: Number(size), modifiedMs: Number(seconds) * 1000 };
}

/** Sorts each folder before its contents, and the names in a folder by UTF-16 code units. */
function inOrder(entries: readonly RemoteEntry[]): RemoteEntry[] {
  const inner = new Map<string, RemoteEntry[]>();
  for (const entry of entries) {
    const folder = entry.path.slice(0, Math.max(0, entry.path.lastIndexOf("/")));
    const known = inner.get(folder);
    if (known === undefined) inner.set(folder, [entry]);
    else known.push(entry);
  }
  const ordered: RemoteEntry[] = [];
  const open = sorted(inner.get("")).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    ordered.push(next);
    if (next.kind === "directory") open.push(...sorted(inner.get(next.path)).reverse());
  }
  return ordered;
}

function sorted(entries: readonly RemoteEntry[] = []): RemoteEntry[] {
  return [...entries].sort((one, other) => (one.path < other.path ? -1 : 1));
}
