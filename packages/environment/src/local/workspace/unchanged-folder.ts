import { fstatSync, readdirSync, statfsSync } from "node:fs";
import type { OpenedFolder } from "./pin-path.ts";

/**
 * Milliseconds without a change after which a folder counts as unchanged. Far above the resolution of the kernel's
 * clock.
 */
const SETTLED_MS = 1000;
/**
 * File systems on which changing a name in a folder updates the folder's ctime, which programs cannot set: ext4, XFS,
 * Btrfs, tmpfs.
 */
const FILE_SYSTEMS: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994]);
/**
 * Limits for the size of a folder whose entries are read, in bytes. The limit is `BYTES_PER_NAME` for each name that is
 * looked up, and at least `MIN_BYTES`.
 */
const [MIN_BYTES, BYTES_PER_NAME] = [4096, 64];

/** A folder whose entries have not changed for a while. */
export interface UnchangedFolder {
  /** Names of the folder's subfolders. Links are not included. */
  readonly folders: ReadonlySet<string>;
  /**
   * Returns whether no name in the folder has changed since. If so, everything accessed through `folders` in the
   * meantime was inside the folder.
   */
  isUnchanged(): boolean;
}

/**
 * Reads the subfolders of an opened folder, so that files in them can be accessed by name. Opening each subfolder would
 * take as long as stating a file. Returns `undefined` if a change could go unnoticed, or if the folder is too large for
 * the number of wanted names.
 */
export function readUnchangedFolder(
  folder: OpenedFolder,
  names: number,
  now: () => number = Date.now,
): UnchangedFolder | undefined {
  const { descriptor } = folder;
  if (descriptor === undefined || !FILE_SYSTEMS.has(statfsSync(folder.access(".")).type)) return undefined;
  const { ctimeMs, size } = fstatSync(descriptor);
  // A further change within the clock's resolution would not change the ctime, so a recent ctime is not trusted.
  if (now() - ctimeMs < SETTLED_MS || size > Math.max(MIN_BYTES, BYTES_PER_NAME * names)) return undefined;
  const entries = readdirSync(folder.access("."), { withFileTypes: true });
  const folders = new Set<string>();
  for (const entry of entries) if (entry.isDirectory()) folders.add(entry.name);
  return { folders, isUnchanged: () => fstatSync(descriptor).ctimeMs === ctimeMs };
}
