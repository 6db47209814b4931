import { stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { quoteWord } from "./quote-word.ts";

/** Returns the command that applies a patch to a folder, which may be inside a git repository. */
export async function applyCommand(folder: string, patch: string): Promise<string> {
  const top = (await repositoryOf(folder)) ?? folder;
  // Git resolves the paths of a patch relative to the root of the repository.
  const below = relative(top, folder).split(sep).join("/");
  const directory = below === "" ? "" : ` --directory=${quoteWord(below)}`;
  return `git -C ${quoteWord(top)} apply${directory} ${quoteWord(patch)}`;
}

/**
 * Returns whether a folder is a git repository: `.git` is a folder with a HEAD, or a file that names one. Sandboxes
 * leave empty `.git` folders.
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
