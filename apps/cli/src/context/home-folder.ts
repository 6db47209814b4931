import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/** Who may know of a home folder; each may throw where nobody knows this user. */
const SOURCES: readonly (() => string)[] = [homedir, () => userInfo().homedir];

/**
 * The home folder of the user as an absolute path, nothing where there is none. An empty or relative `HOME` is passed over:
 * it would be a folder of whatever workspace the command is in, which could then say that it is trusted.
 */
export function findHomeFolder(sources: readonly (() => string)[] = SOURCES): string | undefined {
  for (const source of sources) {
    try {
      const folder = source();
      if (isAbsolute(folder)) return folder;
    } catch {
      // As in a container whose user has no entry.
    }
  }
  return undefined;
}
