import { constants } from "node:fs";
import { cp, lstat, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { FOLDER_MODE } from "../files/file-modes.ts";
import type { EvalFile } from "../suite/eval-suite.ts";

/** What a workspace begins with. */
export interface WorkspaceContents {
  /** Folder that is copied; nothing for an empty workspace. */
  readonly template?: string | undefined;
  /** Files that are put on top, in this order. */
  readonly files: readonly EvalFile[];
}

/**
 * Makes the workspace of one run: a copy of the template, links included as they are, with the files on top. A clone
 * where the file system knows that, so that large templates cost next to nothing.
 */
export async function prepareWorkspace(folder: string, { template, files }: WorkspaceContents): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if (template !== undefined) await copyFolder(template, folder);
  for (const file of files) await putFile(folder, file);
}

async function copyFolder(template: string, folder: string): Promise<void> {
  await cp(template, folder, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: async (source) => {
      // In a worktree it names the repository: what git did in the copy, it would do there.
      if (source === join(template, ".git")) return (await lstat(source)).isDirectory();
      return isCopyable(source);
    },
  });
}

/** Whether something can be copied: sockets, pipes and devices cannot. */
export async function isCopyable(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isFile() || found.isDirectory() || found.isSymbolicLink();
}

async function putFile(folder: string, { path, source }: EvalFile): Promise<void> {
  const target = join(folder, path);
  await assertInside(folder, dirname(target), path);
  await mkdir(dirname(target), { recursive: true });
  const found = await lstat(target).catch(() => undefined);
  // In the place of a link, not where that leads.
  if (found !== undefined && !found.isDirectory()) await rm(target);
  if ("content" in source) await writeFile(target, source.content);
  else await cp(source.from, target, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
}

/** A link in the template may lead out of the workspace. */
async function assertInside(folder: string, parent: string, path: string): Promise<void> {
  let deepest = parent;
  while ((await lstat(deepest).catch(() => undefined)) === undefined) deepest = dirname(deepest);
  const way = relative(await realpath(folder), await realpath(deepest));
  if (way === ".." || way.startsWith(`..${sep}`)) throw new Error(`${path} would be written outside of the workspace`);
}
