import { mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FolderKeys } from "./folder-keys.ts";

/** A lock that is held on a folder. */
interface LockedFolder {
  /** Name of the lock's file. */
  readonly lock: string;
  /** Real path of the folder, as its holder named it. */
  readonly path: string;
}

/**
 * Finds the locks of a folder, of the folders above it and of those below it, in a number of steps that depends on the depth of
 * the folder and not on the number of locks. Contract: callers exclude each other while they look and add.
 */
export interface LockIndex {
  /** Locks on the same folder, on one above it or on one below it. Entries may be left over from dead holders. */
  find(keys: FolderKeys): Promise<readonly LockedFolder[]>;
  add(keys: FolderKeys, locked: LockedFolder): Promise<void>;
  remove(keys: FolderKeys, lock: string): Promise<void>;
  /** Removes a lock where `find` found it: the folder that it was on may be gone, and its keys with it. */
  forget(keys: FolderKeys, lock: string): Promise<void>;
}

/** Opens the index in a folder: for each key a folder with an entry for each lock. */
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
      // Whoever gave back the last lock in there has removed the folder meanwhile.
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
}

async function removeEntries(places: readonly string[], lock: string): Promise<void> {
  for (const place of places) {
    await rm(join(place, lock), { force: true });
    // It stays while others are in there.
    await rmdir(place).catch(() => {});
  }
}
