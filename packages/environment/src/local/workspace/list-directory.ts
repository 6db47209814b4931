import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DirectoryEntry } from "@switchyard/contracts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import { pinInner } from "./pin-inner.ts";
import type { LocalWorkspace, PinnedPath } from "./pin-path.ts";
import { pinFolder } from "./pin-target.ts";
import { entryKindOf, systemCodeOf } from "./to-file-error.ts";

/**
 * Lists the entries of a folder, each followed by its contents, in character order of their names. Links are not
 * followed.
 */
export async function listEntries(workspace: LocalWorkspace, path: string, depth: number): Promise<DirectoryEntry[]> {
  const entries: DirectoryEntry[] = [];
  await using folder = await pinFolder(workspace, resolveWorkspacePath(workspace, path).absolute);
  await listInto(entries, folder, { workspace, depth, prefix: "" });
  return entries;
}

interface Level {
  readonly workspace: LocalWorkspace;
  readonly depth: number;
  readonly prefix: string;
}

async function listInto(entries: DirectoryEntry[], folder: PinnedPath, level: Level): Promise<void> {
  if (level.depth < 1) return;
  for (const name of await readNames(folder, level)) {
    const entry = await readEntry(folder, name);
    // The entry was removed after the folder was read.
    if (entry === undefined || level.workspace.guard?.isAbsent(join(folder.real, name)) === true) continue;
    entries.push({ ...entry, name: level.prefix + name });
    if (entry.kind !== "directory" || level.depth === 1) continue;
    await using inner = await pinInner(level.workspace, folder, name);
    const prefix = `${level.prefix}${name}/`;
    if (inner !== undefined) await listInto(entries, inner, { ...level, depth: level.depth - 1, prefix });
  }
}

async function readNames(folder: PinnedPath, { prefix }: Level): Promise<string[]> {
  try {
    return (await readdir(folder.access())).sort();
  } catch (error) {
    // The requested folder must be readable. An unreadable folder below it is listed as empty.
    if (prefix !== "" && systemCodeOf(error) === "EACCES") return [];
    throw error;
  }
}

async function readEntry(folder: PinnedPath, name: string): Promise<DirectoryEntry | undefined> {
  try {
    const found = await lstat(folder.access(name));
    const kind = entryKindOf(found);
    return kind === "file" ? { name, kind, size: found.size } : { name, kind };
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
