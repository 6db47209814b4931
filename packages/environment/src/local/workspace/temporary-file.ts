import { createHash, randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import type { LocalWorkspace, PinnedPath } from "./pin-path.ts";
import { systemCodeOf } from "./to-file-error.ts";

const NAME = /^\.switchyard-(\d{1,10})-([0-9a-f]{8})-[0-9a-f]{24}\.tmp$/;

/** For each workspace, the folders that were already checked for abandoned temporary files. */
const tidied = new WeakMap<LocalWorkspace, Set<string>>();

/** Returns a unique, unpredictable name for a temporary file. The name identifies the process that writes the file. */
export function temporaryName(): string {
  return `.switchyard-${process.pid}-${processSpace()}-${randomBytes(12).toString("hex")}.tmp`;
}

/**
 * Removes temporary files that dead processes left in a folder. Each folder is checked once. Contract: never rejects;
 * files that cannot be removed are harmless. See durability promise D9.
 */
export async function removeAbandonedFiles(workspace: LocalWorkspace, folder: PinnedPath): Promise<void> {
  const folders = tidied.get(workspace) ?? new Set();
  tidied.set(workspace, folders);
  if (folders.has(folder.real)) return;
  folders.add(folder.real);
  try {
    for (const name of await readdir(folder.access())) {
      if (isAbandoned(name)) await rm(folder.access(name), { force: true });
    }
  } catch {
    // The folder cannot be listed: it may be writable but not readable.
  }
}

function isAbandoned(name: string): boolean {
  const [, pid, space] = NAME.exec(name) ?? [];
  return space === processSpace() && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) !== "ESRCH";
  }
}

/** Returns an id of the scope in which a process id is unique: this machine and, on Linux, this pid namespace. */
function processSpace(): string {
  return createHash("sha256").update(`${hostname()} ${namespace()}`).digest("hex").slice(0, 8);
}

function namespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
