import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/**
 * Functions that return the user's home folder, in order of preference. Each may throw if the user has no entry in
 * `/etc/passwd`.
 */
const SOURCES: readonly (() => string)[] = [homedir, () => userInfo().homedir];

/**
 * Returns the absolute path of the user's home folder; `undefined` if there is none. Ignores an empty or relative
 * `HOME`: it would resolve to a folder in the workspace, which could then declare itself trusted.
 */
export function findHomeFolder(sources: readonly (() => string)[] = SOURCES): string | undefined {
  for (const source of sources) {
    try {
      const folder = source();
      if (isAbsolute(folder)) return folder;
    } catch {
      // The look-up fails, for example, in a container whose user has no entry in `/etc/passwd`.
    }
  }
  return undefined;
}
