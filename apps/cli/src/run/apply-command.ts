import { stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { quoteWord } from "./quote-word.ts";

/** The command that applies a patch to a folder, which may lie inside of a git repository. */
export async function applyCommand(folder: string, patch: string): Promise<string> {
  const top = (await repositoryOf(folder)) ?? folder;
  // Git takes the paths of a patch as those of the whole repository.
  const below = relative(top, folder).split(sep).join("/");
  const directory = below === "" ? "" : ` --directory=${quoteWord(below)}`;
  return `git -C ${quoteWord(top)} apply${directory} ${quoteWord(patch)}`;
}

/** As git has it: a folder with a head, or a file that says where that is. Sandboxes leave empty ones behind. */
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
