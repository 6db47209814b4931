import { statfsSync } from "node:fs";
import { dirname } from "node:path";

/** Magic number of Linux's proc file system. */
const PROC_SUPER_MAGIC = 0x9fa0;

/**
 * Returns whether an existing or missing path is in the proc file system. Folders cannot be created there, and Node's
 * recursive `mkdir` would loop forever.
 */
export function liesInProc(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      return statfsSync(folder).type === PROC_SUPER_MAGIC;
    } catch {
      // A missing path belongs to the file system of its nearest existing parent.
      if (folder === dirname(folder)) return false;
    }
  }
}
