import { constants } from "node:fs";
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { type BytePath, fromBytePath, joinBytes, lstatPath, parentsOf } from "./byte-path.ts";

/** Options for replacing several files of a folder: either all of them or none (a swap). */
export interface FileSwap {
  /** Absolute path of the folder. */
  readonly root: string;
  /**
   * Folder that stores the state of this swap. If the swap is interrupted, `finishSwap` completes it from this state.
   */
  readonly aside: string;
  /**
   * Folder below `root` for temporary files of this swap. Because it is on the same file system, the files can be
   * renamed to their final paths.
   */
  readonly spare: string;
  /**
   * Function that returns whether an empty folder may be removed, given its path and its creation time in milliseconds
   * since 1970.
   */
  readonly isRemovable?: ((path: BytePath, birthtimeMs: number) => boolean) | undefined;
  /**
   * Called when all files are replaced. If the callback rejects, or the process exits before it resolves, `finishSwap`
   * calls it again.
   */
  readonly onSwapped?: (() => Promise<void>) | undefined;
}

/** File whose existence shows that the copies of the old and the new files are complete. */
const READY = "ready.json";

/**
 * Calls `change` on copies of files, and then replaces the files with the changed copies. If `change` or replacing a
 * file fails, all files stay unchanged, and the error is rethrown. If the process exits before the end, or `onSwapped`
 * rejects, `finishSwap` completes the swap.
 */
export async function swapFiles(
  swap: FileSwap,
  paths: readonly BytePath[],
  change: (folder: string) => Promise<void>,
): Promise<void> {
  const { root, aside } = swap;
  const [before, after] = sidesOf(swap);
  await rm(aside, { recursive: true, force: true });
  try {
    for (const side of [before, after]) {
      await mkdir(side, { recursive: true, mode: 0o700 });
      for (const path of paths) await copy({ folder: root, path }, { folder: side, path });
    }
    await change(after);
    await assertNoLinks(swap, paths);
    await writeFile(join(aside, `${READY}.new`), JSON.stringify(paths));
    await rename(join(aside, `${READY}.new`), join(aside, READY));
    await putAfter(swap, paths);
  } catch (error) {
    await discard(swap);
    throw error;
  }
  await swap.onSwapped?.();
  await discard(swap);
}

/**
 * Completes an interrupted swap of files. Resolves with false if no swap was interrupted, or if one of its files was
 * changed since. Otherwise resolves with true.
 */
export async function finishSwap(swap: FileSwap): Promise<boolean> {
  const paths = await readReady(swap.aside);
  if (paths === undefined || !(await isUntouched(swap, paths))) return false;
  // Files that are already replaced are skipped, because their folder may no longer be writable.
  await putAfter(swap, await openPaths(swap, paths));
  await swap.onSwapped?.();
  await discard(swap);
  return true;
}

/**
 * Throws if a parent folder of a file became a symbolic link, because the file would be written elsewhere. A link that
 * is itself replaced is accepted.
 */
async function assertNoLinks(swap: FileSwap, paths: readonly BytePath[]): Promise<void> {
  const replaced = new Set(paths);
  for (const path of paths) {
    if ((await fileAt(sidesOf(swap)[1], path)) === undefined) continue;
    for (const parent of parentsOf(path)) {
      if (replaced.has(parent)) continue;
      const found = await lstat(joinBytes(swap.root, parent)).catch(() => undefined);
      if (found !== undefined && !found.isDirectory()) {
        throw new Error(`${fromBytePath(path)}: ${fromBytePath(parent)} is no longer a folder`);
      }
    }
  }
}

/**
 * Removes the stored state of a swap. The file that marks it as complete is removed first, so that other files that
 * cannot be removed are harmless.
 */
async function discard({ aside }: FileSwap): Promise<void> {
  await rm(join(aside, READY), { force: true }).catch(() => undefined);
  await rm(aside, { recursive: true, force: true }).catch(() => undefined);
}

function sidesOf({ aside }: FileSwap): [before: string, after: string] {
  return [join(aside, "before"), join(aside, "after")];
}

async function readReady(aside: string): Promise<BytePath[] | undefined> {
  const text = await readFile(join(aside, READY), "utf8").catch(() => undefined);
  const paths: unknown = text === undefined ? undefined : JSON.parse(text);
  return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : undefined;
}

/** Returns whether each file equals either its old or its new version, so that no other change was made to it. */
async function isUntouched(swap: FileSwap, paths: readonly BytePath[]): Promise<boolean> {
  for (const path of paths) {
    const found = await contentOf(swap.root, path);
    const sides = await Promise.all(sidesOf(swap).map((side) => contentOf(side, path)));
    if (!sides.includes(found)) return false;
  }
  return true;
}

/** Returns the files that are not replaced with their new version yet. */
async function openPaths(swap: FileSwap, paths: readonly BytePath[]): Promise<BytePath[]> {
  const [, after] = sidesOf(swap);
  const open: BytePath[] = [];
  for (const path of paths) {
    if ((await contentOf(swap.root, path)) !== (await contentOf(after, path))) open.push(path);
  }
  return open;
}

/** Returns a text that contains the kind, permissions and content of a file. `undefined` if the file does not exist. */
async function contentOf(folder: string, path: BytePath): Promise<string | undefined> {
  const found = await fileAt(folder, path);
  if (found === undefined) return undefined;
  const absolute = joinBytes(folder, path);
  if (found.isSymbolicLink()) return `link ${await readlink(absolute, "base64")}`;
  return `${found.mode & 0o7777} ${await readFile(absolute, "base64")}`;
}

/** Returns the stat result of a file or link. `undefined` for anything else. */
async function fileAt(folder: string, path: BytePath) {
  const found = await lstatPath(folder, path);
  return found?.isFile() === true || found?.isSymbolicLink() === true ? found : undefined;
}

interface Location {
  readonly folder: string;
  readonly path: BytePath;
}

async function copy(from: Location, to: Location): Promise<void> {
  const found = await fileAt(from.folder, from.path);
  if (found === undefined) return;
  const [parent] = parentsOf(to.path);
  if (parent !== undefined) await mkdir(joinBytes(to.folder, parent), { recursive: true });
  const [source, target] = [joinBytes(from.folder, from.path), joinBytes(to.folder, to.path)];
  if (found.isSymbolicLink()) return await symlink(await readlink(source, "buffer"), target);
  await copyFile(source, target, constants.COPYFILE_FICLONE);
  await chmod(target, found.mode & 0o7777);
}

async function putAfter(swap: FileSwap, paths: readonly BytePath[]): Promise<void> {
  const [before, after] = sidesOf(swap);
  try {
    await copySpare(swap, { side: after, paths });
    await put(swap, { side: after, paths }).catch(async (error: unknown) => {
      await copySpare(swap, { side: before, paths });
      await put(swap, { side: before, paths });
      throw error;
    });
  } finally {
    await rm(swap.spare, { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Copies files to the temporary folder below `root`. If the disk is full, this step fails, before any file is replaced.
 */
async function copySpare({ spare }: FileSwap, { side, paths }: { side: string; paths: readonly BytePath[] }) {
  await rm(spare, { recursive: true, force: true });
  await mkdir(spare, { mode: 0o700 });
  for (const [index, path] of paths.entries()) {
    await copy({ folder: side, path }, { folder: spare, path: String(index) });
  }
}

/**
 * Replaces all files with their old or new versions. Files that the version lacks are removed first, because a folder
 * may take their path.
 */
async function put(swap: FileSwap, { side, paths }: { side: string; paths: readonly BytePath[] }) {
  const { root, spare } = swap;
  for (const path of paths) {
    if ((await fileAt(side, path)) === undefined) await remove(swap, path);
  }
  for (const [index, path] of paths.entries()) {
    if ((await fileAt(side, path)) === undefined) continue;
    const [parent] = parentsOf(path);
    if (parent !== undefined) await mkdir(joinBytes(root, parent), { recursive: true });
    const target = joinBytes(root, path);
    // An empty folder at the path is removed, because a file may replace it.
    await rmdir(target).catch(() => undefined);
    await rename(join(spare, String(index)), target);
  }
}

/** Removes a file, and those of its parent folders that are then empty and may be removed. */
async function remove(swap: FileSwap, path: BytePath): Promise<void> {
  if ((await fileAt(swap.root, path)) === undefined) return;
  await unlink(joinBytes(swap.root, path));
  for (const folder of parentsOf(path)) {
    if (!(await isRemoved(swap, folder))) return;
  }
}

async function isRemoved({ root, isRemovable = () => true }: FileSwap, folder: BytePath): Promise<boolean> {
  try {
    const path = joinBytes(root, folder);
    if (!isRemovable(folder, (await lstat(path)).birthtimeMs)) return false;
    await rmdir(path);
    return true;
  } catch {
    return false;
  }
}
