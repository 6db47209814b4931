import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** Resolves with the path of ripgrep, or `undefined` if it is not installed for this platform. */
export async function findRipgrep(chosen: string | false | undefined): Promise<string | undefined> {
  if (chosen !== undefined) return chosen === false ? undefined : chosen;
  const program = findInstalled();
  if (program !== undefined) return program;
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return rgPath;
  } catch {
    // The binary is a separate optional package for each platform.
    return undefined;
  }
}

/**
 * Finds ripgrep where package managers install it: next to the package that knows its name. An import would find the
 * same file but cost a tenth of a search in a small process.
 */
function findInstalled(): string | undefined {
  const program = `ripgrep-${process.platform}-${process.arch}/bin/${process.platform === "win32" ? "rg.exe" : "rg"}`;
  try {
    for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
      const named = join(folder, "node_modules/@vscode/ripgrep");
      // It may be a link; its dependencies are next to the link's target.
      if (existsSync(named)) return onlyExisting(join(dirname(realpathSync.native(named)), program));
    }
  } catch {
    // In some bundles this file has no folder.
  }
  return undefined;
}

function onlyExisting(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}
