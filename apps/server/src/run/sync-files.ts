import { open } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Has files of a folder, by their paths in it, and the folders that they are in reach the disk. D1. */
export async function syncFiles(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await syncPath(join(folder, path));
  for (const inside of foldersOf(paths)) await syncPath(join(folder, inside));
}

/** All folders that lead to the files, the folder itself included. */
function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let inside = dirname(path); !folders.has(inside); inside = dirname(inside)) folders.add(inside);
  }
  return folders;
}

/** Has what was written to a file, or the entries of a folder, reach the disk. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}
