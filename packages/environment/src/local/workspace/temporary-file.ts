import { createHash, randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import type { LocalWorkspace, PinnedPath } from "./pin-path.ts";
import { systemCodeOf } from "./to-file-error.ts";

const NAME = /^\.switchyard-(\d{1,10})-([0-9a-f]{8})-[0-9a-f]{24}\.tmp$/;

/** Folders of each workspace that were looked through. */
const tidied = new WeakMap<LocalWorkspace, Set<string>>();

/** A name for a file that is being written: who writes it, and nothing that anybody can guess. */
export function temporaryName(): string {
  return `.switchyard-${process.pid}-${processSpace()}-${randomBytes(12).toString("hex")}.tmp`;
}

/**
 * Removes what processes that died while they wrote left in a folder. Looks only once: what they left was there before.
 * Contract: rejects for nothing; what cannot be removed harms nobody. D9.
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
    // A folder may be written to and not be read.
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

/** Where a process id means the same process: this machine and, on Linux, this namespace. */
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
