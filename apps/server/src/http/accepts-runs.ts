import { constants, type StatsFs } from "node:fs";
import { access, statfs } from "node:fs/promises";

/** What the beginning of a run takes on disk, and some more. */
const MIN_FREE_BYTES = 1_048_576;

/** Whether runs can be kept in a folder: it can be written to, and its disk is not full. */
export async function acceptsRuns(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    return hasRoom(await statfs(folder));
  } catch {
    return false;
  }
}

/** Whether there is room on a file system for another run. One that does not say how large it is counts as roomy. */
export function hasRoom({
  bsize,
  blocks,
  bavail,
  files,
  ffree,
}: Pick<StatsFs, "bsize" | "blocks" | "bavail" | "files" | "ffree">): boolean {
  return (blocks === 0 || bavail * bsize >= MIN_FREE_BYTES) && (files === 0 || ffree > 0);
}
