import { createHash } from "node:crypto";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Maximum number of files for which a digest is computed. Code with more files has no digest. */
const MAX_FILES = 20_000;
/** Maximum total size of the files for which a digest is computed, in bytes. Larger code has no digest. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Fields of `package.json` that list packages from which the package may load code. */
const DEPENDENCIES = ["dependencies", "optionalDependencies", "peerDependencies"] as const;

/** File or folder with code that is included in a digest. */
export interface CodeRoot {
  /** Name under which the file or folder is included in the digest. It stays the same when the project is moved. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
}

/** Matches names of files with JavaScript or TypeScript. */
const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Matches imports of files by a relative path, in code. */
const RELATIVE_IMPORT = /\b(?:from|import|require)\s*\(?\s*["'](\.\.?\/[^"'\n]+)["']/g;
/** Suffixes that an import may omit at the end of a relative path. */
const SUFFIXES = ["", ".js", ".mjs", ".cjs", ".json", ".ts", "/index.js"] as const;

/** Thrown when the code exceeds the limits. */
class TooMuchCode extends Error {}

/**
 * Returns the SHA-256 digest of files and folders. It includes the packages on which their `package.json` depends, and
 * other files that the code imports by a relative path. Symbolic links are followed, because their targets are
 * executed. `undefined` if there are more than 20,000 files or 256 MiB.
 */
export async function digestCode(roots: readonly CodeRoot[]): Promise<string | undefined> {
  const digest = new CodeDigest();
  try {
    // The list grows during the loop: dependencies are appended to it.
    const all = [...roots];
    for (const root of all) all.push(...(await digest.addRoot(root)));
    return digest.end();
  } catch (error) {
    if (error instanceof TooMuchCode) return undefined;
    throw error;
  }
}

/**
 * Returns the folder of an installed package, resolved like Node.js does. `undefined` if the package is not installed.
 */
export async function findPackageFolder(name: string, from: string): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, "node_modules", name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() === true) return path;
    if (dirname(folder) === folder) return undefined;
  }
}

class CodeDigest {
  readonly #hash = createHash("sha256");
  /** Name under which each file or folder was first added, by its real path. */
  readonly #seen = new Map<string, string>();
  /** Files that the last root imports. */
  #imports: CodeRoot[] = [];
  #files = 0;
  #bytes = 0;

  /** Adds a file or folder to the digest. Returns its dependencies, or an empty list if it was already added. */
  async addRoot({ name, path }: CodeRoot): Promise<CodeRoot[]> {
    const real = await realpath(path).catch(() => undefined);
    const isNew = real !== undefined && !this.#seen.has(real);
    this.#imports = [];
    await this.#add(name, path);
    if (!isNew) return [];
    const roots: CodeRoot[] = this.#imports.filter((found) => !this.#seen.has(found.path));
    for (const dependency of await dependenciesOf(real)) {
      const folder = await findPackageFolder(dependency, real);
      // Missing dependencies are part of the digest, so that installing one later counts as a change.
      if (folder === undefined) this.#say(`${name}>${dependency}`, "missing");
      else roots.push({ name: `${name}>${dependency}`, path: folder });
    }
    return roots;
  }

  end(): string {
    return this.#hash.digest("hex");
  }

  async #add(name: string, path: string): Promise<void> {
    this.#files += 1;
    if (this.#files > MAX_FILES) throw new TooMuchCode();
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined) return this.#say(name, "missing");
    const known = this.#seen.get(real);
    if (known !== undefined) return this.#say(name, `see ${known}`);
    this.#seen.set(real, name);
    const found = await stat(real);
    if (found.isFile()) return this.#addFile(name, real, found.size);
    this.#say(name, found.isDirectory() ? "folder" : "other");
    if (!found.isDirectory()) return;
    for (const entry of (await readdir(real)).sort()) {
      if (entry !== ".git") await this.#add(`${name}/${entry}`, join(real, entry));
    }
  }

  async #addFile(name: string, path: string, size: number): Promise<void> {
    this.#bytes += size;
    if (this.#bytes > MAX_BYTES) throw new TooMuchCode();
    const bytes = await readFile(path);
    this.#say(name, createHash("sha256").update(bytes).digest("hex"));
    // Published packages import no files outside their own folder.
    if (SCRIPT.test(path) && !/[\\/]node_modules[\\/]/.test(path))
      this.#imports.push(...(await importsOf(name, path, bytes.toString("utf8"))));
  }

  #say(name: string, content: string): void {
    this.#hash.update(`${JSON.stringify([name, content])}\n`);
  }
}

/** Returns the files that a script imports by a relative path. */
async function importsOf(name: string, path: string, text: string): Promise<CodeRoot[]> {
  const found: CodeRoot[] = [];
  for (const [, specifier = ""] of text.matchAll(RELATIVE_IMPORT)) {
    for (const suffix of SUFFIXES) {
      const real = await realpath(join(dirname(path), `${specifier}${suffix}`)).catch(() => undefined);
      const file = real === undefined ? undefined : await stat(real);
      if (real === undefined || file?.isFile() !== true) continue;
      found.push({ name: `${name}>${specifier}`, path: real });
      break;
    }
  }
  return found;
}

async function dependenciesOf(folder: string): Promise<string[]> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const names = DEPENDENCIES.flatMap((field) => Object.keys(Object(Reflect.get(Object(manifest), field))));
    return [...new Set(names)].sort();
  } catch {
    return [];
  }
}
