import { posix } from "node:path";

/** Files that change how every program of a container starts. */
const LOADER_FILES = /^\/etc\/(?:ld\.so\.(?:preload|conf|cache)|ld\.so\.conf\.d\/.*)$/u;
/** Maximum number of paths in a warning. */
const MAX_PATHS = 5;

/**
 * Returns a warning about files that the engine added or changed and that may affect the tests: programs in the folders
 * of PATH, and settings of the program loader. `undefined` if there are none.
 */
export function describeChangedPrograms(
  changedPaths: readonly string[],
  programFolders: readonly string[],
): string | undefined {
  const folders = new Set(programFolders);
  const isProgram = (path: string): boolean => folders.has(posix.dirname(path)) && !folders.has(path);
  const found = changedPaths.filter((path) => isProgram(path) || LOADER_FILES.test(path));
  if (found.length === 0) return undefined;
  const more = found.length > MAX_PATHS ? ` and ${found.length - MAX_PATHS} more` : "";
  return `The engine added or changed programs that the tests may have used: ${found.slice(0, MAX_PATHS).join(", ")}${more}.`;
}
