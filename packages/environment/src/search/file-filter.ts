import type { GlobMatcher } from "../glob/compile-glob.ts";
import { compileGlob } from "../glob/compile-glob.ts";

/** Selects the files that a search reads. */
export interface FileFilter {
  /** Returns whether the search reads a file. The path is relative to the searched folder. */
  readonly matches: GlobMatcher;
  /** File name pattern that includes all wanted files. `undefined` if no such pattern is known. */
  readonly namePattern: string | undefined;
}

/**
 * Parses the filter of a search. A pattern without `/` applies to the file name; a pattern with `/` applies to the path
 * below the searched folder. A leading `!` negates the pattern. An empty pattern matches everything. Throws
 * `environment.invalid_pattern`.
 */
export function parseFileFilter(glob: string): FileFilter {
  if (glob === "") return { matches: () => true, namePattern: undefined };
  if (glob.startsWith("!")) {
    const excluded = parseFileFilter(glob.slice(1)).matches;
    return { matches: (path) => !excluded(path), namePattern: undefined };
  }
  if (!glob.includes("/")) return { matches: compileGlob(`**/${glob}`), namePattern: glob };
  const matches = compileGlob(glob.replace(/^\//, ""));
  const name = glob.slice(glob.lastIndexOf("/") + 1);
  // If a brace was opened before the last slash, the part after the slash is not a complete pattern.
  const isComplete = name !== "" && name !== "**" && !/[{}[\]\\]/.test(glob);
  return { matches, namePattern: isComplete ? name : undefined };
}
