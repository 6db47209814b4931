import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Owner } from "@switchyard/process-owner";

/** Whoever holds a lock. */
export interface LockHolder {
  /** Token of its process. */
  readonly token: string;
  /** What it said about itself. */
  readonly note: string;
}

/** What is locked, and by whom. */
export interface FileLockOptions {
  readonly owner: Owner;
  /** One line for those who find it locked. */
  readonly note: string;
}

/**
 * Takes a lock that keeps other processes out, and other holders in this one, until it is disposed of; or says who holds
 * it. The lock of a process that died is taken over. Rejects with what the file system says.
 */
export async function tryFileLock(
  path: string,
  { owner, note }: FileLockOptions,
): Promise<{ readonly taken: AsyncDisposable } | { readonly holder: LockHolder }> {
  // Two of one process, as in a test, are two all the same.
  const content = `${owner.token}\n${note}\n${randomUUID()}\n`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const own = `${path}.${randomUUID()}`;
  try {
    for (let isWritten = false; ; ) {
      // Whoever waits looks again and again: nothing is written for that.
      const held = await readLock(path);
      if (held !== undefined) {
        const [token = "", said = ""] = held.split("\n");
        if (owner.livenessOf(token) !== "dead") return { holder: { token, note: said } };
        await removeDead(path, held);
      }
      if (!isWritten) await writeFile(own, content, { mode: 0o600 });
      isWritten = true;
      // A link is made whole and only where there is none, on every file system that has them.
      if (await isLinked(own, path)) return { taken: { [Symbol.asyncDispose]: () => giveBack(path, content) } };
    }
  } finally {
    await rm(own, { force: true });
  }
}

/** One that was taken over, by whoever thought this process dead, is theirs. */
async function giveBack(path: string, content: string): Promise<void> {
  if ((await readLock(path)) === content) await rm(path, { force: true });
}

async function isLinked(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function readLock(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** Another one may have removed it and taken it by now: what was moved away is looked at again. */
async function removeDead(path: string, dead: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  const isMoved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (!isMoved) return;
  if ((await readLock(aside)) !== dead) await isLinked(aside, path);
  await rm(aside, { force: true });
}
