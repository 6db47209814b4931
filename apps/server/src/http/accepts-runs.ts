import { constants, type StatsFs } from "node:fs";
import { access, statfs } from "node:fs/promises";

/** Minimum free disk space that is required to start a run, in bytes. */
const MIN_FREE_BYTES = 1_048_576;

/** Resolves with true if runs can be stored in a folder: the folder is writable, and the disk is not full. */
export async function acceptsRuns(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    return hasRoom(await statfs(folder));
  } catch {
    return false;
  }
}

/** Returns whether a file system has space for another run. If the file system reports no size, returns true. */
export function hasRoom({
  bsize,
  blocks,
  bavail,
  files,
  ffree,
}: Pick<StatsFs, "bsize" | "blocks" | "bavail" | "files" | "ffree">): boolean {
  return (blocks === 0 || bavail * bsize >= MIN_FREE_BYTES) && (files === 0 || ffree > 0);
}
