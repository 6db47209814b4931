import { mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FolderKeys } from "./folder-keys.ts";

/** A lock on a folder. */
interface LockedFolder {
  /** Name of the lock file. */
  readonly lock: string;
  /** Real path of the locked folder, as given by the holder of the lock. */
  readonly path: string;
}

/**
 * Finds the locks of a folder, its parents and its subfolders, in a number of steps that depends on the folder's depth
 * and not on the number of locks. Contract: callers exclude each other between find and add.
 */
export interface LockIndex {
  /** Resolves with the locks on the same folder, a parent or a subfolder. May include entries of dead holders. */
  find(keys: FolderKeys): Promise<readonly LockedFolder[]>;
  add(keys: FolderKeys, locked: LockedFolder): Promise<void>;
  remove(keys: FolderKeys, lock: string): Promise<void>;
  /**
   * Removes a lock at the keys under which `find` found it. Does not access the locked folder, which may no longer
   * exist.
   */
  forget(keys: FolderKeys, lock: string): Promise<void>;
}

/** Opens the index in a folder: for each key a subfolder with an entry for each lock. */
export function openLockIndex(folder: string): LockIndex {
  const at = (key: string): string => join(folder, "at", key);
  const below = (key: string): string => join(folder, "below", key);
  const placesOf = ({ own, above }: FolderKeys): string[] => [...own.map(at), ...above.map(below)];
  const conflictsOf = ({ own, above }: FolderKeys): string[] => [...own.map(at), ...above.map(at), ...own.map(below)];
  return {
    async find(keys) {
      const found = new Map<string, LockedFolder>();
      for (const place of conflictsOf(keys)) {
        for (const lock of await readdir(place).catch(() => [])) {
          const path = await readFile(join(place, lock), "utf8").catch(() => undefined);
          if (path !== undefined) found.set(lock, { lock, path });
        }
      }
      return [...found.values()];
    },
    async add(keys, { lock, path }) {
      for (const place of placesOf(keys)) await addEntry(place, lock, path);
    },
    remove: (keys, lock) => removeEntries(placesOf(keys), lock),
    forget: (keys, lock) => removeEntries(conflictsOf(keys), lock),
  };
}

async function addEntry(place: string, lock: string, path: string): Promise<void> {
  for (;;) {
    await mkdir(place, { recursive: true, mode: 0o700 });
    try {
      return await writeFile(join(place, lock), path, { mode: 0o600 });
    } catch (error) {
      // The folder of the key was removed between the two calls, because its last lock was released.
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
}

async function removeEntries(places: readonly string[], lock: string): Promise<void> {
  for (const place of places) {
    await rm(join(place, lock), { force: true });
    // Removing the folder of a key fails while it contains other locks, which is intended.
    await rmdir(place).catch(() => {});
  }
}
