import { chmod, lstat, mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import type { ChangedFile, FileChanges } from "./file-changes.ts";

/** Resolves with the file content that was stored under a name. `undefined` if it is missing. */
export type ReadContent = (name: string) => Promise<Uint8Array | undefined>;

/**
 * Applies stored changes to a folder that is in the initial state of the run. While this function runs, no process of
 * the run must work in the folder. Rejects if the content of a file is missing, or if a path leads outside the folder.
 */
export async function applyFileChanges(folder: string, changes: FileChanges, read: ReadContent): Promise<void> {
  const root = await realpath(folder);
  for (const path of changes.removed) await rm(join(root, path), { recursive: true, force: true });
  // Links are created last, so that no other entry is written through a link.
  const order = ["folder", "file", "link"];
  const sorted = [...changes.changed].sort((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind));
  for (const entry of sorted) await applyEntry(root, entry, read);
  // Permissions of folders are set last, because they may forbid to write into the folder.
  for (const entry of sorted) if (entry.kind === "folder") await chmod(join(root, entry.path), entry.mode);
}

async function applyEntry(root: string, entry: ChangedFile, read: ReadContent): Promise<void> {
  const path = join(root, entry.path);
  const parent = await realpath(dirname(path));
  if (parent !== root && !parent.startsWith(root + sep)) throw new Error(`${entry.path} leads outside the workspace`);
  const found = await lstat(path).catch(() => undefined);
  if (entry.kind === "folder") {
    if (found?.isDirectory() === true) return;
    await rm(path, { force: true });
    await mkdir(path);
    return;
  }
  if (found !== undefined) await rm(path, { recursive: true, force: true });
  if (entry.kind === "link") {
    await symlink(entry.target, path);
    return;
  }
  const content = await read(entry.content);
  if (content === undefined) throw new Error(`the stored content of ${entry.path} is missing`);
  await writeFile(path, content, { flag: "wx" });
  await chmod(path, entry.mode);
}
