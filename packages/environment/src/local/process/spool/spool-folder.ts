import { constants, openSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Time, in milliseconds, for which a measurement of free disk space is reused. */
const CHECK_INTERVAL_MS = 1000;
/**
 * Free disk space, in bytes, required for storing output in files. It is more than a command can write between two
 * checks.
 */
const FREE_BYTES = 4 * 2 ** 30;
/**
 * Types of file systems that store files on disk and can release the space of byte ranges: ext4, XFS, Btrfs, overlay.
 * In-memory file systems are excluded, because output would fill the memory.
 */
const FILE_SYSTEMS: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x794c7630]);
/**
 * Flag that creates an unnamed file, which is removed when its last descriptor is closed. Linux only. Node has no
 * constant for this flag.
 */
const O_TMPFILE = 0o20000000 | (constants.O_DIRECTORY ?? 0);
/**
 * Append mode, because a command may open its output file again (`/dev/stdout`). Without this mode, the command would
 * then overwrite its earlier output.
 */
const FLAGS = constants.O_RDWR | constants.O_APPEND | O_TMPFILE;

let looked: { readonly folder: string | undefined; readonly until: number } | undefined;

/**
 * Returns a folder with enough free disk space for the output of commands, or `undefined`. Free space is checked at
 * most once a second.
 */
export function findSpoolFolder(): string | undefined {
  const now = performance.now();
  if (looked === undefined || now >= looked.until) looked = { folder: findFolder(), until: now + CHECK_INTERVAL_MS };
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
