import { fstatSync, readdirSync, statfsSync } from "node:fs";
import type { OpenedFolder } from "./pin-path.ts";

/**
 * A folder counts as unchanged if its last change is at least this many milliseconds ago. The time is far above the
 * resolution of the kernel's clock.
 */
const SETTLED_MS = 1000;
/**
 * Types of file systems that update a folder's ctime whenever a name in the folder changes: ext4, XFS, Btrfs, tmpfs.
 * Programs cannot set the ctime.
 */
const FILE_SYSTEMS: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994]);
/**
 * Limits for the size of a folder that is read, in bytes. A folder is read if its size is at most `MIN_BYTES`, or at
 * most `BYTES_PER_NAME` times the number of names to look up.
 */
const [MIN_BYTES, BYTES_PER_NAME] = [4096, 64];

/** A folder whose entries have not changed for a while. */
export interface UnchangedFolder {
  /** Names of the folder's subfolders. Links are not included. */
  readonly folders: ReadonlySet<string>;
  /**
   * Returns whether no name in the folder has changed since its entries were read. If true, no subfolder was replaced
   * by a link meanwhile. All files that were accessed through these subfolders were then inside the folder.
   */
  isUnchanged(): boolean;
}

/**
 * Reads the names of an opened folder's subfolders, so that files in them can be accessed by path. Opening each
 * subfolder first would double the time. `names` is the number of subfolders that the caller accesses. Returns
 * `undefined` if a change of the folder could remain undetected, or if reading the folder takes too long compared with
 * opening `names` subfolders.
 */
export function readUnchangedFolder(
  folder: OpenedFolder,
  names: number,
  now: () => number = Date.now,
): UnchangedFolder | undefined {
  const { descriptor } = folder;
  if (descriptor === undefined || !FILE_SYSTEMS.has(statfsSync(folder.access(".")).type)) return undefined;
  const { ctimeMs, size } = fstatSync(descriptor);
  // If the ctime is recent, another change within the clock's resolution might not alter it.
  if (now() - ctimeMs < SETTLED_MS || size > Math.max(MIN_BYTES, BYTES_PER_NAME * names)) return undefined;
  const entries = readdirSync(folder.access("."), { withFileTypes: true });
  const folders = new Set<string>();
  for (const entry of entries) if (entry.isDirectory()) folders.add(entry.name);
  return { folders, isUnchanged: () => fstatSync(descriptor).ctimeMs === ctimeMs };
}
