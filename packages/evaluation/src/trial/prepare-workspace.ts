import { constants } from "node:fs";
import { cp, lstat, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { FOLDER_MODE } from "../files/file-modes.ts";
import type { EvalFile } from "../suite/eval-suite.ts";

/** Initial contents of a workspace. */
export interface WorkspaceContents {
  /** Folder to copy. `undefined`: the workspace starts empty. */
  readonly template?: string | undefined;
  /** Files added after the template is copied, in this order. */
  readonly files: readonly EvalFile[];
}

/**
 * Creates a workspace: copies the template with its symlinks unresolved, then adds the files. Uses copy-on-write clones
 * if the file system supports them, so that large templates are cheap.
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
      // In a Git worktree, `.git` is a file that points to the repository, so it is not copied.
      // Git commands in a copy would change that repository.
      if (source === join(template, ".git")) return (await lstat(source)).isDirectory();
      return isCopyable(source);
    },
  });
}

/** True for entries that can be copied: files, folders and symlinks, but not sockets, pipes and devices. */
export async function isCopyable(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isFile() || found.isDirectory() || found.isSymbolicLink();
}

async function putFile(folder: string, { path, source }: EvalFile): Promise<void> {
  const target = join(folder, path);
  await assertInside(folder, dirname(target), path);
  await mkdir(dirname(target), { recursive: true });
  const found = await lstat(target).catch(() => undefined);
  // If the path is a symlink, replaces the link, not its target.
  if (found !== undefined && !found.isDirectory()) await rm(target);
  if ("content" in source) await writeFile(target, source.content);
  else await cp(source.from, target, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
}

/** Throws if a symlink in the template would lead a write out of the workspace. */
async function assertInside(folder: string, parent: string, path: string): Promise<void> {
  let deepest = parent;
  while ((await lstat(deepest).catch(() => undefined)) === undefined) deepest = dirname(deepest);
  const way = relative(await realpath(folder), await realpath(deepest));
  if (way === ".." || way.startsWith(`..${sep}`)) throw new Error(`${path} would be written outside of the workspace`);
}
