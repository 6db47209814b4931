import { constants } from "node:fs";
import { cp, lstat, mkdir, readFile, readlink, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Files of a folder that are to become others, all of them or none. */
export interface FileSwap {
  /** Absolute path of the folder. */
  readonly root: string;
  /** Folder that is this swap's alone; what was cut off is found there again. */
  readonly aside: string;
  /** Folder below `root` that is this swap's alone: from there a file comes to its place at once. */
  readonly spare: string;
  /** Folders that were made before this stay when they are empty, in milliseconds since 1970; none does by default. */
  readonly since?: number | undefined;
}

/** What says that both sides of a swap are there whole. */
const READY = "ready.json";

/**
 * Lets `change` change copies of files, and puts them in the places of the files when all of them are there. Where that
 * fails the files are as they were; where the process ends meanwhile, `finishSwap` goes on. Rejects with what fails.
 */
export async function swapFiles(
  swap: FileSwap,
  paths: readonly string[],
  change: (folder: string) => Promise<void>,
): Promise<void> {
  const { root, aside } = swap;
  const [before, after] = sidesOf(swap);
  await rm(aside, { recursive: true, force: true });
  try {
    for (const side of [before, after]) {
      await mkdir(side, { recursive: true, mode: 0o700 });
      for (const path of paths) await copy(join(root, path), join(side, path));
    }
    await change(after);
    await writeFile(join(aside, `${READY}.new`), JSON.stringify(paths));
    await rename(join(aside, `${READY}.new`), join(aside, READY));
    await putAfter(swap, paths);
  } finally {
    await discard(swap);
  }
}

/** Ends a swap that was cut off. Resolves with whether there was one, and nobody has changed its files since. */
export async function finishSwap(swap: FileSwap): Promise<boolean> {
  const paths = await readReady(swap.aside);
  if (paths === undefined || !(await isUntouched(swap, paths))) return false;
  await putAfter(swap, paths);
  await discard(swap);
  return true;
}

/** First what says that it is whole. What cannot be removed stays: the files are what counts. */
async function discard({ aside }: FileSwap): Promise<void> {
  await rm(join(aside, READY), { force: true }).catch(() => undefined);
  await rm(aside, { recursive: true, force: true }).catch(() => undefined);
}

function sidesOf({ aside }: FileSwap): [before: string, after: string] {
  return [join(aside, "before"), join(aside, "after")];
}

async function readReady(aside: string): Promise<string[] | undefined> {
  const text = await readFile(join(aside, READY), "utf8").catch(() => undefined);
  const paths: unknown = text === undefined ? undefined : JSON.parse(text);
  return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : undefined;
}

/** Whether each file is one of the two that it can be. */
async function isUntouched(swap: FileSwap, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    const found = await contentOf(join(swap.root, path));
    const sides = await Promise.all(sidesOf(swap).map((side) => contentOf(join(side, path))));
    if (!sides.includes(found)) return false;
  }
  return true;
}

/** A file in one word, its kind and mode included; nothing where there is none. */
async function contentOf(path: string): Promise<string | undefined> {
  const found = await statOf(path);
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) return `link ${await readlink(path)}`;
  return `${found.mode & 0o100} ${await readFile(path, "base64")}`;
}

/** A file or link; a folder in its place is none. */
async function statOf(path: string) {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() === true || found?.isSymbolicLink() === true ? found : undefined;
}

async function copy(from: string, to: string): Promise<void> {
  if ((await statOf(from)) === undefined) return;
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
}

async function putAfter(swap: FileSwap, paths: readonly string[]): Promise<void> {
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

/** What a full disk refuses it refuses here, where nothing has changed. */
async function copySpare({ spare }: FileSwap, { side, paths }: { side: string; paths: readonly string[] }) {
  await rm(spare, { recursive: true, force: true });
  await mkdir(spare, { mode: 0o700 });
  for (const [index, path] of paths.entries()) await copy(join(side, path), join(spare, String(index)));
}

/** Makes the files those of one side: first what is not there, as a folder may come in the place of a file. */
async function put(swap: FileSwap, { side, paths }: { side: string; paths: readonly string[] }) {
  const { root, spare } = swap;
  for (const path of paths) {
    if ((await statOf(join(side, path))) === undefined) await remove(swap, path);
  }
  for (const [index, path] of paths.entries()) {
    if ((await statOf(join(side, path))) === undefined) continue;
    await mkdir(dirname(join(root, path)), { recursive: true });
    // An empty folder is in nobody's way.
    await rmdir(join(root, path)).catch(() => undefined);
    await rename(join(spare, String(index)), join(root, path));
  }
}

/** Removes a file, and the folders that are empty then, as git does; of which git knows nothing, those that were there. */
async function remove({ root, since = 0 }: FileSwap, path: string): Promise<void> {
  if ((await statOf(join(root, path))) === undefined) return;
  await rm(join(root, path));
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    if (!(await isRemoved(join(root, folder), since))) return;
  }
}

/** Removes an empty folder that was made since; what a file system does not know of its making speaks for nothing. */
async function isRemoved(folder: string, since: number): Promise<boolean> {
  try {
    const { birthtimeMs } = await lstat(folder);
    if (birthtimeMs > 0 && birthtimeMs < since) return false;
    await rmdir(folder);
    return true;
  } catch {
    return false;
  }
}
