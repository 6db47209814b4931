import { constants, openSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Time for which a free-space check is reused, in milliseconds. */
const LOOK_AGAIN_MS = 1000;
/** Required free disk space, in bytes: more than a command can write between two checks. */
const FREE_BYTES = 4 * 2 ** 30;
/** ext4, XFS, Btrfs, overlay: on disk and with holes. An in-memory file system would fill the memory. */
const FILE_SYSTEMS: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x794c7630]);
/** Linux: creates an unnamed file, which disappears with its last descriptor. Node has no constant for it. */
const O_TMPFILE = 0o20000000 | (constants.O_DIRECTORY ?? 0);
/** Append mode, because a command may reopen the file. */
const FLAGS = constants.O_RDWR | constants.O_APPEND | O_TMPFILE;

let looked: { readonly folder: string | undefined; readonly until: number } | undefined;

/** Returns a folder with space for output, or `undefined`. The disk is checked once a second. */
export function findSpoolFolder(): string | undefined {
  const now = performance.now();
  if (looked === undefined || now >= looked.until) looked = { folder: findFolder(), until: now + LOOK_AGAIN_MS };
  return looked.folder;
}

function findFolder(): string | undefined {
  return [tmpdir(), "/var/tmp"].find((folder) => {
    try {
      const { type, bavail, bsize } = statfsSync(folder);
      return FILE_SYSTEMS.has(type) && bavail * bsize >= FREE_BYTES;
    } catch {
      return false;
    }
  });
}

/** Opens an unnamed file in a folder. Throws system errors, for example if the file system does not support it. */
export function openNameless(folder: string): number {
  return openSync(folder, FLAGS, 0o600);
}
