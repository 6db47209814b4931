import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EngineError, fileProblem } from "@switchyard/contracts";
import { vendorPackages } from "./bundled-packages.ts";

/** Version of the TypeScript compiler in new packages. */
const TYPESCRIPT = "^7.0.2";

/** Options of `createPackage`. */
export interface CreatePackageOptions {
  /** Folder with the template. */
  readonly template: string;
  /** Folder of the new package. The folder must not exist or must be empty. */
  readonly target: string;
  /** Name of the package without its prefix: lower-case words with dashes. */
  readonly name: string;
  /** Version of the Switchyard packages on which the new package depends. */
  readonly version: string;
  /**
   * Folder with tarballs of Switchyard packages and an `index.json` that maps each package name to its `file` and its
   * `dependencies`. The tarballs that the new package needs are copied to its folder `vendor`. Default: the new package
   * depends on published versions.
   */
  readonly bundledPackages?: string | undefined;
}

/**
 * Creates a package from a template. Resolves with the paths of the created files, sorted. Rejects with
 * `output.unwritable`.
 */
export async function createPackage({
  template,
  target,
  name,
  version,
  bundledPackages,
}: CreatePackageOptions): Promise<string[]> {
  const files = await filesBelow(template);
  const vendored: string[] = [];
  try {
    for (const file of files) {
      const path = join(target, packageFile(file));
      await mkdir(dirname(path), { recursive: true });
      let text = fill(await readFile(join(template, file), "utf8"), version, name);
      if (bundledPackages !== undefined && packageFile(file) === "package.json") {
        const result = await vendorPackages(text, { folder: bundledPackages, target });
        text = result.manifestText;
        vendored.push(...result.files);
      }
      await writeFile(path, text, { flag: "wx" });
    }
  } catch (error) {
    throw new EngineError("output.unwritable", { path: target, problem: fileProblem(error) }, { cause: error });
  }
  return [...files.map(packageFile), ...vendored].sort();
}

async function filesBelow(folder: string, below = ""): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const nested = entries.map((entry) => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(folder, path) : [path];
  });
  return (await Promise.all(nested)).flat();
}

/**
 * Returns the name of a template's file in the new package: a leading underscore becomes a dot, and `_package.json`
 * becomes `package.json`. npm omits dot files and manifests from packages, so templates use underscores.
 */
function packageFile(file: string): string {
  return file === "_package.json" ? "package.json" : file.replace(/(^|\/)_/gu, "$1.");
}

/** Templates use the placeholder name acme for the package. */
function fill(text: string, version: string, name: string): string {
  return text
    .replaceAll("SWITCHYARD_VERSION", `^${version}`)
    .replaceAll("TYPESCRIPT_VERSION", TYPESCRIPT)
    .replaceAll("ACME", name.replaceAll("-", "_").toUpperCase())
    .replaceAll("Acme", pascalCase(name))
    .replaceAll("acme", name);
}

function pascalCase(name: string): string {
  return name
    .split("-")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("");
}
