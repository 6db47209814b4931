import { fstatSync, readdirSync, statfsSync } from "node:fs";
import type { OpenedFolder } from "./pin-path.ts";

/**
 * Milliseconds without a change after which a folder counts as unchanged. Far above the resolution of the kernel's
 * clock.
 */
const SETTLED_MS = 1000;
/** ext4, XFS, Btrfs, tmpfs: changing a name in a folder updates its ctime, which cannot be set by programs. */
const FILE_SYSTEMS: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994]);
/** Maximum size of a folder that is read, in bytes: a minimum, and an amount for each wanted name. */
const [MIN_BYTES, BYTES_PER_NAME] = [4096, 64];

/** A folder whose entries have not changed for a while. */
export interface UnchangedFolder {
  /** Names of its subfolders, without links. */
  readonly folders: ReadonlySet<string>;
  /**
   * Returns whether all names still have the same meaning. If so, everything reached through `folders` meanwhile was
   * inside.
   */
  isUnchanged(): boolean;
}

/**
 * Reads the subfolders of an opened folder, so that files in them can be accessed by name: opening each subfolder would
 * cost as much as stating a file. Returns `undefined` if a change could go unnoticed, or if the folder is too large for
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
  // A change within the clock's resolution would leave the same time.
  if (now() - ctimeMs < SETTLED_MS || size > Math.max(MIN_BYTES, BYTES_PER_NAME * names)) return undefined;
  const entries = readdirSync(folder.access("."), { withFileTypes: true });
  const folders = new Set<string>();
  for (const entry of entries) if (entry.isDirectory()) folders.add(entry.name);
  return { folders, isUnchanged: () => fstatSync(descriptor).ctimeMs === ctimeMs };
}
