import { statfsSync } from "node:fs";
import { dirname } from "node:path";

/** What Linux calls the file system of its processes. */
const PROC_SUPER_MAGIC = 0x9fa0;

/**
 * Whether a path, there or not, lies in the file system of processes. Nobody can make a folder there, and Node tries that
 * for ever where it makes those above as well.
 */
export function liesInProc(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      return statfsSync(folder).type === PROC_SUPER_MAGIC;
    } catch {
      // What is not there is where its folder is.
      if (folder === dirname(folder)) return false;
    }
  }
}
