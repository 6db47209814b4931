import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Owner } from "@switchyard/process-owner";

/** Time without a sign of life after which a holder of whom nothing is known counts as gone, as with runs. */
const SILENCE_MS = 10_000;
/** Signs of life within that time. */
const BEATS = 3;
/** Looks for one within that time. */
const LOOKS = 20;

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
  /** Milliseconds without a sign of life after which a holder of whom nothing is known is gone; 10,000 by default. */
  readonly silenceMs?: number;
}

/** A lock that is held until it is disposed of. */
export interface HeldLock {
  readonly taken: AsyncDisposable;
  /** Who held it and is gone, where it was taken over. */
  readonly from?: LockHolder | undefined;
}

/**
 * Takes a lock that keeps other processes out, and other holders in this one, until it is disposed of; or says who holds
 * it. The lock of a process that died is taken over, and so is one that nobody gives signs of life for: of a process of
 * another machine, or from before this one began anew, nothing else is known. Rejects with what the file system says.
 */
export async function tryFileLock(
  path: string,
  { owner, note, silenceMs = SILENCE_MS }: FileLockOptions,
): Promise<HeldLock | { readonly holder: LockHolder }> {
  // Two of one process, as in a test, are two all the same.
  const content = `${owner.token}\n${note}\n${randomUUID()}\n`;
  await makeFolder(dirname(path));
  const own = `${path}.${randomUUID()}`;
  try {
    let from: LockHolder | undefined;
    for (let isWritten = false; ; ) {
      // Whoever waits looks again and again: nothing is written for that.
      const held = await readLock(path);
      if (held !== undefined) {
        const [token = "", said = ""] = held.split("\n");
        const liveness = owner.livenessOf(token);
        const isGone = liveness === "dead" || (liveness === "unknown" && (await isSilent(path, silenceMs)));
        if (isGone) {
          await removeDead(path, held);
          from = { token, note: said };
        } else if ((await readLock(path)) === held) return { holder: { token, note: said } };
      }
      if (!isWritten) await writeFile(own, content, { mode: 0o600 });
      isWritten = true;
      // A link is made whole and only where there is none, on every file system that has them.
      if (await isLinked(own, path)) return { taken: holdLock(path, { content, silenceMs }), from };
    }
  } finally {
    await rm(own, { force: true });
  }
}

/**
 * Resolves with the living holder of a lock, or with `undefined` if there is none. Removes the lock of a holder that is gone and
 * hands it to `onGone` first.
 */
export async function findHolder(
  path: string,
  { owner, silenceMs = SILENCE_MS }: Omit<FileLockOptions, "note">,
  onGone: (holder: LockHolder) => Promise<void>,
): Promise<LockHolder | undefined> {
  const held = await readLock(path);
  if (held === undefined) return undefined;
  const [token = "", note = ""] = held.split("\n");
  const liveness = owner.livenessOf(token);
  if (liveness !== "dead" && !(liveness === "unknown" && (await isSilent(path, silenceMs)))) return { token, note };
  await onGone({ token, note });
  await removeDead(path, held);
  return undefined;
}

/** Makes a folder and those above it; for a disk that is read-only Node says of several that the first does not exist. */
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

/** Gives signs of life until it is given back. One that was taken over, by whoever thought this process dead, is theirs. */
function holdLock(path: string, { content, silenceMs }: { content: string; silenceMs: number }): AsyncDisposable {
  const isOurs = async (): Promise<boolean> => (await readLock(path)) === content;
  let last = 0;
  const beat = async (): Promise<void> => {
    if (!(await isOurs())) return;
    // Others look whether it changes; it must, also when the wall clock stands still or goes back.
    last = Math.max(last + 1, Date.now());
    await utimes(path, last / 1_000, last / 1_000);
  };
  const beats = setInterval(() => void beat().catch(() => undefined), silenceMs / BEATS).unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(beats);
      if (await isOurs()) await rm(path, { force: true });
    },
  };
}

/** Looks are counted, not time: after this machine slept, the holder gets its time as well. */
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
