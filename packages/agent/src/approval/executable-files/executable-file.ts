import { compileNamePattern, type NamePattern } from "../name-pattern.ts";
import type { ExecutableFile } from "./executable-file-row.ts";
import { EXECUTABLE_FILES } from "./executable-file-table.ts";

/** Path of a file that programs execute without asking the user, such as a git hook. */
export interface ExecutablePath {
  /** Entry of `EXECUTABLE_FILES` that matches the path. */
  readonly row: ExecutableFile;
  /** Segments of the path that match the entry, in lower case. */
  readonly names: readonly string[];
  /** Reason why writing the file needs approval. */
  readonly reason: string;
}

interface CompiledPath {
  readonly row: ExecutableFile;
  readonly fits: readonly NamePattern[];
  readonly isTree: boolean;
}

/** Characters in names that file systems ignore or that are invisible. */
const IGNORED = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Returns the same text for all spellings of a name that some file system treats as the same file. */
function fold(name: string): string {
  const plain = name
    .normalize("NFKC")
    .replace(IGNORED, "")
    .toLowerCase()
    .replace(/:.*$/su, "")
    .replace(/[. ]+$/u, "")
    // Case-insensitive file systems fold `ß` to `ss`, as in `.ßh`.
    .replace(/ß/g, "ss");
  // `GIT~1` is the Windows short name of `.git`.
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

/**
 * Returns true if the path is an ancestor folder of the files that the table row describes: `.github` for
 * `.github/workflows/**`.
 */
function leadsTo(names: readonly string[], start: number, { fits }: CompiledPath): boolean {
  const rest = names.slice(start);
  return rest.length < fits.length && rest.every((name, index) => fits[index]?.(name));
}

/**
 * Returns the entry of `EXECUTABLE_FILES` that matches a path below the workspace. `path` is the list of path segments.
 * Ignores case, invisible characters and Windows aliases. `undefined` if no program executes the file without being
 * asked to.
 */
export function executableFileAt(path: readonly string[]): ExecutablePath | undefined {
  return find(path, fitsAt);
}

/**
 * Like `executableFileAt`, but also matches a path that may become a folder with unknown files, as in `mv x .github`.
 */
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
