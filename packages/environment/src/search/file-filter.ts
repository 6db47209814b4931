import type { GlobMatcher } from "../glob/compile-glob.ts";
import { compileGlob } from "../glob/compile-glob.ts";

/** Which files a search looks into. */
export interface FileFilter {
  /** Whether a file, relative to the searched folder, is looked into. */
  readonly matches: GlobMatcher;
  /** A pattern that every wanted file name fits, where there is one. */
  readonly namePattern: string | undefined;
}

/**
 * Reads the filter of a search: a pattern without `/` is about the file's name, one with `/` about its path below the
 * searched folder, and `!` in front turns it round; an empty one leaves nothing out. Throws `environment.invalid_pattern`.
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
  // A brace may have been opened before the last slash.
  const isWhole = name !== "" && name !== "**" && !/[{}[\]\\]/.test(glob);
  return { matches, namePattern: isWhole ? name : undefined };
}
