import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Resolves with the path of ripgrep. `undefined` if no ripgrep is installed for this platform, or if the option
 * requests searches without ripgrep.
 */
export async function findRipgrep(chosen: string | false | undefined): Promise<string | undefined> {
  if (chosen !== undefined) return chosen === false ? undefined : chosen;
  const program = findInstalled();
  if (program !== undefined) return program;
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return rgPath;
  } catch {
    // Not found: the ripgrep binary of each platform is a separate optional package.
    return undefined;
  }
}

/**
 * Finds the ripgrep binary in the folder where package managers install it. Importing ripgrep's package would find the
 * same file, but the import takes a tenth of the time of a small search.
 */
function findInstalled(): string | undefined {
  const program = `ripgrep-${process.platform}-${process.arch}/bin/${process.platform === "win32" ? "rg.exe" : "rg"}`;
  try {
    for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
      const named = join(folder, "node_modules/@vscode/ripgrep");
      // The package folder may be a symbolic link. Its dependencies are installed beside the link's target.
      if (existsSync(named)) return onlyExisting(join(dirname(realpathSync.native(named)), program));
    }
  } catch {
    // In some bundles, the folder of this file is unknown, so ripgrep is not found here.
  }
  return undefined;
}

function onlyExisting(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}
