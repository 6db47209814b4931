import { compileNamePattern, type NamePattern } from "../name-pattern.ts";
import type { ExecutableFile } from "./executable-file-row.ts";
import { EXECUTABLE_FILES } from "./executable-file-table.ts";

/** A path that other programs execute. */
export interface ExecutablePath {
  /** The row of the table. */
  readonly row: ExecutableFile;
  /** The names on the path that the row is about, in lower case. */
  readonly names: readonly string[];
  /** Why writing it needs a permission. */
  readonly reason: string;
}

interface CompiledPath {
  readonly row: ExecutableFile;
  readonly fits: readonly NamePattern[];
  readonly isTree: boolean;
}

/** Characters that file systems ignore in names, or that nobody sees. */
const IGNORED = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Makes equal the spellings of a name that some file system takes for the same file. */
function fold(name: string): string {
  const plain = name
    .normalize("NFKC")
    .replace(IGNORED, "")
    .toLowerCase()
    .replace(/:.*$/su, "")
    .replace(/[. ]+$/u, "");
  // Windows has short names: `GIT~1` is `.git`.
  return plain.replace(/^git~\d+$/, ".git");
}

let compiled: readonly CompiledPath[] | undefined;

function compile(row: ExecutableFile, path: string): CompiledPath {
  const isTree = path.endsWith("/**");
  const names = path
    .toLowerCase()
    .replace(/\/\*\*$/, "")
    .split("/");
  return { row, fits: names.map(compileNamePattern), isTree };
}

function paths(): readonly CompiledPath[] {
  compiled ??= EXECUTABLE_FILES.flatMap((row) => row.paths.map((path) => compile(row, path)));
  return compiled;
}

function fitsAt(names: readonly string[], start: number, { fits, isTree }: CompiledPath): boolean {
  const end = start + fits.length;
  if (isTree ? end > names.length : end !== names.length) return false;
  return fits.every((pattern, index) => pattern(names[start + index] ?? ""));
}

/** True if the path ends in a folder on the way to what the row is about: `.github` for `.github/workflows/**`. */
function leadsTo(names: readonly string[], start: number, { fits }: CompiledPath): boolean {
  const rest = names.slice(start);
  return rest.length < fits.length && rest.every((name, index) => fits[index]?.(name));
}

/**
 * Finds the row for a path below the workspace, given by its names. Case, invisible characters and aliases of Windows
 * names are ignored. `undefined` for a file that nothing executes unasked.
 */
export function executableFileAt(path: readonly string[]): ExecutablePath | undefined {
  return find(path, fitsAt);
}

/** Like `executableFileAt`, for a path that may become a folder with files of unknown names: `mv x .github`. */
export function executableTreeAt(path: readonly string[]): ExecutablePath | undefined {
  return executableFileAt(path) ?? find(path, leadsTo);
}

function find(path: readonly string[], matchesPath: typeof fitsAt): ExecutablePath | undefined {
  const names = path.map(fold).filter((name) => name !== "");
  for (const candidate of paths()) {
    const start = names.findIndex((_, index) => matchesPath(names, index, candidate));
    if (start < 0) continue;
    const { row, fits } = candidate;
    return { row, names: names.slice(start, start + fits.length), reason: `\`${path.join("/")}\`: ${row.runner}` };
  }
  return undefined;
}
