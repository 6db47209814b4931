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

async function repositoryOf(folder: string): Promise<string | undefined> {
  const isThere = await stat(join(folder, ".git")).then(
    () => true,
    () => false,
  );
  if (isThere) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}
