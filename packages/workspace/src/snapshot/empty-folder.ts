import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";

/** Permission bits of an ordinary folder: its owner can use it, and it has no special bits. */
const [OWNER, SPECIAL, ALL] = [0o700, 0o7000, 0o7777];

/**
 * Returns the permission bits of the workspace if it is an empty folder on this machine and in no git repository.
 * Otherwise returns `undefined`. No process is started.
 */
export function modeOfEmptyFolder({ name, workingDirectory: folder }: ExecutionEnvironment): number | undefined {
  if (name !== "local") return undefined;
  try {
    if (readdirSync(folder).length > 0 || isInRepository(folder)) return undefined;
    const mode = lstatSync(folder).mode & ALL;
    return (mode & OWNER) === OWNER && (mode & SPECIAL) === 0 ? mode : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a folder or one of its parents contains an entry `.git`. */
function isInRepository(folder: string): boolean {
  const parent = dirname(folder);
  return existsSync(join(folder, ".git")) || (parent !== folder && isInRepository(parent));
}
