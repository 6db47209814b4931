import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EngineError } from "@switchyard/contracts";
import type { Owner } from "@switchyard/process-owner";
import { systemCodeOf } from "../workspace/to-file-error.ts";

const FREE = "lock.free";
const MAX_WAIT_MS = 5000;
const POLL_MS = 2;

/**
 * Runs a synchronous function under a lock shared between processes. The lock is a file whose NAME identifies its
 * holder. To acquire, release or take over the lock, a process renames the file. If several processes try, only one
 * rename succeeds.
 */
export async function withNameLock<T>(folder: string, owner: Owner, work: () => T): Promise<T> {
  const ownLock = join(folder, `lock.${owner.token}`);
  await acquireLock(folder, ownLock, owner);
  try {
    return work();
  } finally {
    // This rename fails if `work` removed the folder of the lock, which is not an error.
    tryRename(ownLock, join(folder, FREE));
  }
}

async function acquireLock(folder: string, ownLock: string, owner: Owner): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    if (tryRename(join(folder, FREE), ownLock)) return;
    // The previous holder of the lock may have removed the folder.
    if (!existsSync(folder)) makeLockFolder(folder);
    const holder = holderOf(folder);
    if (holder !== undefined && owner.livenessOf(holder.slice("lock.".length)) === "dead") {
      if (tryRename(join(folder, holder), ownLock)) return;
    }
    if (performance.now() > deadline) {
      const problem = `another process has held the lock ${join(folder, holder ?? FREE)} for too long.`;
      throw new EngineError("environment.unavailable", { environment: "sandbox", problem });
    }
    await delay(POLL_MS);
  }
}

/** Creates the folder that contains a lock file, unless the folder exists. */
function makeLockFolder(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  // The folder is renamed once it contains the lock file: without a lock file, other processes would wait forever.
  const created = mkdtempSync(`${folder}.new.`);
  writeFileSync(join(created, FREE), "");
  if (!tryRename(created, folder)) rmSync(created, { recursive: true });
}

/**
 * Removes a lock's folder in one step, so that other processes never see it half removed. Only the lock holder may call
 * this function, inside `work`.
 */
export function removeLockFolder(folder: string): void {
  const removed = mkdtempSync(`${folder}.gone.`);
  // A rename can replace an empty folder, so the target folder may exist.
  if (tryRename(folder, removed)) rmSync(removed, { recursive: true, force: true });
}

function holderOf(folder: string): string | undefined {
  try {
    return readdirSync(folder).find((name) => name.startsWith("lock.") && name !== FREE);
  } catch {
    return undefined;
  }
}

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (["ENOENT", "EEXIST", "ENOTEMPTY"].includes(systemCodeOf(error) ?? "")) return false;
    throw error;
  }
}
