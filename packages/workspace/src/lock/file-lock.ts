import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Owner } from "@switchyard/process-owner";

/**
 * Default time without heartbeats, in milliseconds, after which the holder of a lock counts as dead. It applies only if
 * it cannot be checked whether the holder's process is alive. Leases of runs use the same time.
 */
const SILENCE_MS = 10_000;
/** Number of heartbeats that the holder of a lock sends within `silenceMs`. */
const BEATS = 3;
/** Number of times that a waiting process checks the holder's heartbeat within `silenceMs`. */
const LOOKS = 20;

/** Holder of a lock. */
export interface LockHolder {
  /** Token of its process. */
  readonly token: string;
  /** Its description. */
  readonly note: string;
}

/** Options for acquiring a file lock. */
export interface FileLockOptions {
  readonly owner: Owner;
  /** One-line description of the holder, which other processes read when they find the lock taken. */
  readonly note: string;
  /**
   * Time, in milliseconds, after which a holder of unknown state (for example on another machine) counts as dead
   * without heartbeats. Default: 10,000.
   */
  readonly silenceMs?: number;
}

/** A lock that is held until it is disposed. */
export interface HeldLock {
  readonly acquired: AsyncDisposable;
  /** The dead holder from which the lock was taken over. `undefined` if the lock was free. */
  readonly from?: LockHolder | undefined;
}

/**
 * Acquires a lock that excludes other processes, and other holders in this process, until the lock is disposed. If
 * another holder has the lock, returns this holder. The lock of a dead process is taken over. If the process is on
 * another machine or from before a reboot, the lock is taken over when its heartbeat stops. Rejects with file system
 * errors.
 */
export async function tryFileLock(
  path: string,
  { owner, note, silenceMs = SILENCE_MS }: FileLockOptions,
): Promise<HeldLock | { readonly holder: LockHolder }> {
  // The content is unique for each holder, because one process may have several holders of the same lock, as in tests.
  const content = `${owner.token}\n${note}\n${randomUUID()}\n`;
  await makeFolder(dirname(path));
  const ownFile = `${path}.${randomUUID()}`;
  try {
    let from: LockHolder | undefined;
    for (let isWritten = false; ; ) {
      // Waiting callers check the lock repeatedly. They write no file until the lock is free.
      const stored = await readLock(path);
      if (stored !== undefined) {
        const [token = "", note = ""] = stored.split("\n");
        const liveness = owner.livenessOf(token);
        const isDead = liveness === "dead" || (liveness === "unknown" && (await isSilent(path, silenceMs)));
        if (isDead) {
          await removeDead(path, stored);
          from = { token, note };
        } else if ((await readLock(path)) === stored) return { holder: { token, note } };
      }
      if (!isWritten) await writeFile(ownFile, content, { mode: 0o600 });
      isWritten = true;
      // A hard link is created atomically, and fails if its target exists, on every file system that has links.
      if (await isLinked(ownFile, path)) return { acquired: holdLock(path, { content, silenceMs }), from };
    }
  } finally {
    await rm(ownFile, { force: true });
  }
}

/**
 * Resolves with the holder of a lock if it is alive, otherwise with `undefined`. If the holder is dead, calls `onGone`
 * with it and removes the lock.
 */
export async function findHolder(
  path: string,
  { owner, silenceMs = SILENCE_MS }: Omit<FileLockOptions, "note">,
  onDead: (holder: LockHolder) => Promise<void>,
): Promise<LockHolder | undefined> {
  const stored = await readLock(path);
  if (stored === undefined) return undefined;
  const [token = "", note = ""] = stored.split("\n");
  const liveness = owner.livenessOf(token);
  if (liveness !== "dead" && !(liveness === "unknown" && (await isSilent(path, silenceMs)))) return { token, note };
  await onDead({ token, note });
  await removeDead(path, stored);
  return undefined;
}

/**
 * Creates a folder and its parents one by one. With a recursive call, Node reports a read-only disk as ENOENT if
 * several folders are missing.
 */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}

/**
 * Sends heartbeats until the lock is released. If another process has taken over the lock, that process keeps the lock.
 */
function holdLock(path: string, { content, silenceMs }: { content: string; silenceMs: number }): AsyncDisposable {
  const isOwn = async (): Promise<boolean> => (await readLock(path)) === content;
  let last = 0;
  const beat = async (): Promise<void> => {
    if (!(await isOwn())) return;
    // The heartbeat's time must change even if the wall clock stops or is set back: other processes compare it.
    last = Math.max(last + 1, Date.now());
    await utimes(path, last / 1_000, last / 1_000);
  };
  const beats = setInterval(() => void beat().catch(() => undefined), silenceMs / BEATS).unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(beats);
      if (await isOwn()) await rm(path, { force: true });
    },
  };
}

/**
 * Resolves with true if a lock's holder sends no heartbeat. Counts checks instead of elapsed time, so that a holder is
 * not declared dead because this machine was asleep.
 */
async function isSilent(path: string, silenceMs: number): Promise<boolean> {
  const mark = await markOf(path);
  for (let look = 0; look < LOOKS; look += 1) {
    await delay(silenceMs / LOOKS);
    if ((await markOf(path)) !== mark) return false;
  }
  return true;
}

async function markOf(path: string): Promise<string | undefined> {
  return stat(path).then(
    ({ ino, mtimeMs }) => `${ino} ${mtimeMs}`,
    () => undefined,
  );
}

async function isLinked(ownFile: string, path: string): Promise<boolean> {
  try {
    await link(ownFile, path);
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

/**
 * Removes the lock file of a dead holder by moving it away. Another process may have replaced the file in the meantime,
 * so the moved file is checked, and moved back if it belongs to another holder.
 */
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
