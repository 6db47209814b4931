import { stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { quoteWord } from "./quote-word.ts";

/** Returns the shell command that applies a patch to a folder. The folder may be a subfolder of a git repository. */
export async function applyCommand(folder: string, patch: string): Promise<string> {
  const top = (await repositoryOf(folder)) ?? folder;
  // Git interprets the paths in a patch relative to the root of the repository.
  const below = relative(top, folder).split(sep).join("/");
  const directory = below === "" ? "" : ` --directory=${quoteWord(below)}`;
  return `git -C ${quoteWord(top)} apply${directory} ${quoteWord(patch)}`;
}

/**
 * Returns whether a folder is the root of a git repository: `.git` is a file, or a folder with a `HEAD` file. Sandboxes
 * may leave empty `.git` folders, which do not count.
 */
async function isRepository(folder: string): Promise<boolean> {
  const git = join(folder, ".git");
  const isThere = async (path: string, isFile = false): Promise<boolean> =>
    stat(path).then(
      (found) => !isFile || found.isFile(),
      () => false,
    );
  return (await isThere(join(git, "HEAD"))) || isThere(git, true);
}

async function repositoryOf(folder: string): Promise<string | undefined> {
  if (await isRepository(folder)) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}
