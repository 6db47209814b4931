import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";

/** Permission bits of an ordinary folder: its owner can use it, and it has no special bits. */
const [OWNER, SPECIAL, ALL] = [0o700, 0o7000, 0o7777];

/**
 * Returns the permission bits of the workspace if it is an empty folder on this machine and in no git repository.
 * Otherwise returns `undefined`. No process is started.
 */
export async function modeOfEmptyFolder({
  name,
  workingDirectory: folder,
}: ExecutionEnvironment): Promise<number | undefined> {
  if (name !== "local") return undefined;
  try {
    if (readdirSync(folder).length > 0) return undefined;
    const { findRepository } = await import("@switchyard/environment");
    if (findRepository(folder) !== undefined) return undefined;
    const mode = lstatSync(folder).mode & ALL;
    return (mode & OWNER) === OWNER && (mode & SPECIAL) === 0 ? mode : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether the workspace is a folder on this machine that is certainly in no git repository. If it returns false,
 * git has to decide. No process is started.
 */
export async function isPlainLocalFolder({ name, workingDirectory: folder }: ExecutionEnvironment): Promise<boolean> {
  if (name !== "local") return false;
  try {
    const { findRepository } = await import("@switchyard/environment");
    const git = lstatSync(join(folder, ".git"), { throwIfNoEntry: false });
    return git === undefined && findRepository(folder) === undefined;
  } catch {
    return false;
  }
}
