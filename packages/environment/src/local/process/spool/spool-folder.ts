import { constants, openSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** How long a folder is known to have room. */
const LOOK_AGAIN_MS = 1000;
/** What a disk must have free: more than a command writes while nobody looks. */
const FREE_BYTES = 4 * 2 ** 30;
/** ext4, XFS, Btrfs, overlay: on disk, and with holes. One in memory would fill that. */
const FILE_SYSTEMS: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x794c7630]);
/** Linux: a file that has no name and is gone with its last descriptor. Node has no constant for it. */
const O_TMPFILE = 0o20000000 | (constants.O_DIRECTORY ?? 0);
/** Appending: a command may open what it writes to anew. */
const FLAGS = constants.O_RDWR | constants.O_APPEND | O_TMPFILE;

let looked: { readonly folder: string | undefined; readonly until: number } | undefined;

/** A folder with room for what processes write; nothing where there is none. Looks at the disk once a second. */
export function findSpoolFolder(): string | undefined {
  const now = performance.now();
  if (looked === undefined || now >= looked.until) looked = { folder: lookForFolder(), until: now + LOOK_AGAIN_MS };
  return looked.folder;
}

function lookForFolder(): string | undefined {
  return [tmpdir(), "/var/tmp"].find((folder) => {
    try {
      const { type, bavail, bsize } = statfsSync(folder);
      return FILE_SYSTEMS.has(type) && bavail * bsize >= FREE_BYTES;
    } catch {
      return false;
    }
  });
}

/** A file without a name in such a folder. Throws errors of the system, where it knows no such files for instance. */
export function openNameless(folder: string): number {
  return openSync(folder, FLAGS, 0o600);
}
