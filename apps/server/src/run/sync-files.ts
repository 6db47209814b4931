import { open } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Flushes files, and the folders that contain them, to disk. Paths are relative to the given folder. See durability
 * promise D1.
 */
export async function syncFiles(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await syncPath(join(folder, path));
  for (const inside of foldersOf(paths)) await syncPath(join(folder, inside));
}

/** Returns all parent folders of the files, including the base folder. */
function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let inside = dirname(path); !folders.has(inside); inside = dirname(inside)) folders.add(inside);
  }
  return folders;
}

/** Flushes a file, or the entries of a folder, to disk. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}
