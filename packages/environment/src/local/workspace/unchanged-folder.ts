import { fstatSync, readdirSync, statfsSync } from "node:fs";
import type { OpenedFolder } from "./pin-path.ts";

/** So long nothing was changed in a folder that is settled: far longer than the steps of the kernel's clock. */
const SETTLED_MS = 1000;
/** ext4, XFS, Btrfs, tmpfs: whoever changes a name in a folder changes its time, which nobody can set. */
const FILE_SYSTEMS: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994]);
/** Up to this size a folder is read, at least the first and the second for each name that is looked for. */
const [MIN_BYTES, BYTES_PER_NAME] = [4096, 64];

/** A folder in which no name has changed its meaning for a while. */
export interface UnchangedFolder {
  /** Names of the folders in it; links are none. */
  readonly folders: ReadonlySet<string>;
  /** Whether all names still mean what they meant: what was reached by one of `folders` meanwhile was inside of it. */
  isUnchanged(): boolean;
}

/**
 * Reads which folders are in an opened one, for whoever then looks at files in them by their names: to open each of them
 * would cost as much as to look at a file. Nothing where a change might go unnoticed, and where so much else is in it
 * that it would not be worth it for that number of names.
 */
export function readUnchangedFolder(
  folder: OpenedFolder,
  names: number,
  now: () => number = Date.now,
): UnchangedFolder | undefined {
  const { descriptor } = folder;
  if (descriptor === undefined || !FILE_SYSTEMS.has(statfsSync(folder.access(".")).type)) return undefined;
  const { ctimeMs, size } = fstatSync(descriptor);
  // A change within the same step of the clock would leave the same time.
  if (now() - ctimeMs < SETTLED_MS || size > Math.max(MIN_BYTES, BYTES_PER_NAME * names)) return undefined;
  const entries = readdirSync(folder.access("."), { withFileTypes: true });
  const folders = new Set<string>();
  for (const entry of entries) if (entry.isDirectory()) folders.add(entry.name);
  return { folders, isUnchanged: () => fstatSync(descriptor).ctimeMs === ctimeMs };
}
