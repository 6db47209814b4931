import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where ripgrep is, or nothing where it is not installed for this platform. */
export async function findRipgrep(chosen: string | false | undefined): Promise<string | undefined> {
  if (chosen !== undefined) return chosen === false ? undefined : chosen;
  const program = findInstalled();
  if (program !== undefined) return program;
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return rgPath;
  } catch {
    // The binary is an optional package of its own for each platform.
    return undefined;
  }
}

/**
 * The program where package managers put it: next to the package that knows its name. An import would find the same one,
 * but takes a tenth of a search in a small process.
 */
function findInstalled(): string | undefined {
  const program = `ripgrep-${process.platform}-${process.arch}/bin/${process.platform === "win32" ? "rg.exe" : "rg"}`;
  try {
    for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
      const named = join(folder, "node_modules/@vscode/ripgrep");
      // Perhaps a link: what belongs to it is next to the place that it leads to.
      if (existsSync(named)) return onlyExisting(join(dirname(realpathSync.native(named)), program));
    }
  } catch {
    // In a bundle of another kind this file has no folder.
  }
  return undefined;
}

function onlyExisting(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}
