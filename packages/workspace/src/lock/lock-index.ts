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
 * Finds the locks on a folder, its parents and its subfolders. The effort depends on the folder's depth, not on the
 * number of locks. Contract: between `find` and `add`, no other caller may use the index.
 */
export interface LockIndex {
  /** Resolves with the locks on the same folder, a parent or a subfolder. Some of their holders may be dead. */
  find(keys: FolderKeys): Promise<readonly LockedFolder[]>;
  add(keys: FolderKeys, locked: LockedFolder): Promise<void>;
  remove(keys: FolderKeys, lock: string): Promise<void>;
  /**
   * Removes a lock from the keys under which `find` found it. The locked folder is not accessed, because it may no
   * longer exist.
   */
  forget(keys: FolderKeys, lock: string): Promise<void>;
}

/** Opens the index of locks, which is a folder. It contains a subfolder for each key, with an entry for each lock. */
export function openLockIndex(folder: string): LockIndex {
  const at = (key: string): string => join(folder, "at", key);
  const below = (key: string): string => join(folder, "below", key);
  const entriesOf = ({ folders, above }: FolderKeys): string[] => [...folders.map(at), ...above.map(below)];
  const conflictsOf = ({ folders, above }: FolderKeys): string[] => [
    ...folders.map(at),
    ...above.map(at),
    ...folders.map(below),
  ];
  return {
    async find(keys) {
      const found = new Map<string, LockedFolder>();
      for (const entry of conflictsOf(keys)) {
        for (const lock of await readdir(entry).catch(() => [])) {
          const path = await readFile(join(entry, lock), "utf8").catch(() => undefined);
          if (path !== undefined) found.set(lock, { lock, path });
        }
      }
      return [...found.values()];
    },
    async add(keys, { lock, path }) {
      for (const entry of entriesOf(keys)) await addEntry(entry, lock, path);
    },
    remove: (keys, lock) => removeEntries(entriesOf(keys), lock),
    forget: (keys, lock) => removeEntries(conflictsOf(keys), lock),
  };
}

async function addEntry(entry: string, lock: string, path: string): Promise<void> {
  for (;;) {
    await mkdir(entry, { recursive: true, mode: 0o700 });
    try {
      return await writeFile(join(entry, lock), path, { mode: 0o600 });
    } catch (error) {
      // The key's folder was removed between the two calls, because its last lock was released.
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
}

async function removeEntries(entries: readonly string[], lock: string): Promise<void> {
  for (const entry of entries) {
    await rm(join(entry, lock), { force: true });
    // Intentionally fails if the key's folder still contains other locks.
    await rmdir(entry).catch(() => {});
  }
}
