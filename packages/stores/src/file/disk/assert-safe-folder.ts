import type { Stats } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { systemCodeOf, toStoreFailure } from "./store-failure.ts";

const GROUP_WRITABLE = 0o020;
const WORLD_WRITABLE = 0o002;
const STICKY = 0o1000;
const ROOT = 0;

/** A folder to check before the store reads a file or folder inside it. */
export interface StoreLocation {
  /** Absolute path of the folder. */
  readonly directory: string;
  /** Absolute path of the file or folder that will be read. It need not exist. */
  readonly content: string;
}

/**
 * Rejects with `store.foreign_folder` if another user can create or replace runs in the state folder. Such runs would
 * be resumed with this user's permissions. Accepts a folder that belongs to this user, and a folder of another user to
 * which only its owner can write. A missing folder is created by this user.
 *
 * The same rules apply to the parent folders, because their owners could replace the state folder. Parents with the
 * sticky bit, such as `/tmp`, are accepted.
 */
export async function assertSafeFolder({ directory, content }: StoreLocation): Promise<void> {
  const me = process.geteuid?.();
  // The check is skipped on Windows, which has no numeric user ids.
  if (me === undefined) return;
  await assertSafeParents(directory, me);
  const state = await statOf(directory);
  if (state === undefined) return;
  if (state.uid !== me && isOpen(state)) throw foreign(directory, state.uid);
  const inside = await statOf(content);
  const isPlanted = inside !== undefined && ![me, ROOT, state.uid].includes(inside.uid);
  if (isPlanted || (inside !== undefined && inside.uid !== me && isOpen(inside))) throw foreign(content, inside.uid);
}

/**
 * Resolves with the existing parent folders of a path: those in the path as written, and those of the path with links
 * resolved.
 */
async function parentsOf(directory: string): Promise<ReadonlySet<string>> {
  const parents = new Set<string>();
  for (let path = resolve(directory); path !== dirname(path); path = dirname(path)) {
    parents.add(dirname(path));
    const real = await realpath(path).catch(() => undefined);
    if (real !== undefined && real !== path) parents.add(dirname(real));
  }
  // If the path is a link, its target may have other parent folders.
  for (const path of parents) if (path !== dirname(path)) parents.add(dirname(path));
  return parents;
}

async function assertSafeParents(directory: string, me: number): Promise<void> {
  for (const path of await parentsOf(directory)) {
    const parent = await statOf(path);
    if (parent === undefined || [me, ROOT].includes(parent.uid) || (parent.mode & STICKY) !== 0) continue;
    if (isOpen(parent)) throw foreign(directory, parent.uid, path);
  }
}

/**
 * Returns true if other users can write to a folder. Group write permission on a folder of root is accepted, because
 * container orchestrators use it for volumes.
 */
function isOpen({ mode, uid }: Stats): boolean {
  return (mode & (uid === ROOT ? WORLD_WRITABLE : WORLD_WRITABLE | GROUP_WRITABLE)) !== 0;
}

async function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: unknown) => {
    const code = systemCodeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw toStoreFailure(error, path);
  });
}

function foreign(path: string, uid: number, parent?: string): EngineError {
  const subject = parent === undefined ? "it" : `the folder ${parent} above it`;
  const problem = `${subject} belongs to the user with the id ${uid}, and others can write to it`;
  return new EngineError("store.foreign_folder", { path, problem });
}
