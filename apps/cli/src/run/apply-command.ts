import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { findRepository } from "@switchyard/environment";
import { quoteWord } from "./quote-word.ts";

/** Returns the shell command that applies a patch to a folder. The folder may be a subfolder of a git repository. */
export async function applyCommand(folder: string, patch: string): Promise<string> {
  const top = findRepository(folder)?.top ?? folder;
  // Git interprets the paths in a patch relative to the root of the repository.
  const below =
    top === folder
      ? ""
      : relative(top, await realpath(folder))
          .split(sep)
          .join("/");
  const directory = below === "" ? "" : ` --directory=${quoteWord(below)}`;
  return `git -C ${quoteWord(top)} apply${directory} ${quoteWord(patch)}`;
}
