import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { EngineError } from "@switchyard/contracts";

const CONDITIONS = ["node", "import", "module-sync", "default"];
const PACKAGE = /^((?:@[\w.~-]+\/)?[\w.~-]+)((?:\/.*)?)$/;

/**
 * Finds a module by its path, or by the name of a package that is installed in the given folder. Rejects with
 * `verify.not_found`.
 */
export async function findModule(target: string, directory: string): Promise<string> {
  const path = resolve(directory, target);
  if (await isFile(path)) return path;
  const isPath = isAbsolute(target) || /^\.{0,2}[\\/]/.test(target) || target.startsWith(".");
  const found = isPath ? undefined : ((await findImported(target, directory)) ?? findRequired(target, directory));
  if (found === undefined) throw new EngineError("verify.not_found", { target, directory });
  return found;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Finds the file that an `import` of a package loads, from the package's `exports`. */
async function findImported(target: string, directory: string): Promise<string | undefined> {
  const [, name = "", rest = ""] = PACKAGE.exec(target) ?? [];
  if (name === "") return undefined;
  for (let folder = directory; ; folder = dirname(folder)) {
    const home = join(folder, "node_modules", name);
    const exported = exportOf(await readExports(join(home, "package.json")), `.${rest}`);
    const file = exported === undefined ? undefined : resolve(home, exported);
    if (file?.startsWith(home + sep) && (await isFile(file))) return file;
    if (dirname(folder) === folder) return undefined;
  }
}

async function readExports(path: string): Promise<unknown> {
  try {
    const manifest: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof manifest === "object" && manifest !== null && "exports" in manifest ? manifest.exports : undefined;
  } catch {
    return undefined;
  }
}

function exportOf(exports: unknown, path: string): string | undefined {
  if (typeof exports === "string") return path === "." ? exports : undefined;
  if (typeof exports !== "object" || exports === null) return undefined;
  const paths = Object.entries(exports);
  const isByPath = paths.some(([key]) => key.startsWith("."));
  if (isByPath) return conditional(paths.find(([key]) => key === path)?.[1]);
  return path === "." ? conditional(exports) : undefined;
}

function conditional(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [condition, inner] of Object.entries(value)) {
    const found = CONDITIONS.includes(condition) ? conditional(inner) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Finds the file that `require` would load, for example by the package's `main` field or an `index.js` file. */
function findRequired(target: string, directory: string): string | undefined {
  try {
    const found = createRequire(join(directory, "verify.js")).resolve(target);
    return isAbsolute(found) ? found : undefined;
  } catch {
    return undefined;
  }
}
