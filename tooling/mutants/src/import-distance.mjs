// @ts-check
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";

/** @import { WorkspacePackage } from "./workspace-packages.mjs" */

const IMPORT = /\b(?:from|import)\s*\(?\s*["']([^"'\n]+)["']/g;

/**
 * Returns a function that counts the imports between a file and a source: 1 if it imports it directly. Infinite if it
 * does not import it at all. Files are relative to the repository.
 * @param {string} root
 * @param {readonly WorkspacePackage[]} packages
 * @returns {(file: string, source: string) => number}
 */
export function importDistances(root, packages) {
  /** @type {Map<string, string[]>} */
  const importsOf = new Map();
  const read = (/** @type {string} */ file) => {
    const known = importsOf.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(join(root, file), "utf8");
    const found = [...text.matchAll(IMPORT)].flatMap(([, name = ""]) => resolveImport(name, file, packages));
    const existing = found.filter((imported) => existsSync(join(root, imported)));
    importsOf.set(file, existing);
    return existing;
  };
  /** @type {Map<string, Map<string, number>>} */
  const distancesOf = new Map();
  return (file, source) => {
    const known = distancesOf.get(file) ?? distancesFrom(file, read);
    distancesOf.set(file, known);
    return known.get(source) ?? Number.POSITIVE_INFINITY;
  };
}

/**
 * @param {string} start
 * @param {(file: string) => readonly string[]} importsOf
 * @returns {Map<string, number>}
 */
function distancesFrom(start, importsOf) {
  const distances = new Map([[start, 0]]);
  // A map can grow while it is read.
  for (const [file, distance] of distances) {
    for (const imported of importsOf(file)) if (!distances.has(imported)) distances.set(imported, distance + 1);
  }
  return distances;
}

/**
 * @param {string} name
 * @param {string} importer
 * @param {readonly WorkspacePackage[]} packages
 * @returns {string[]}
 */
function resolveImport(name, importer, packages) {
  if (name.startsWith(".")) return /\.(?:ts|mjs)$/.test(name) ? [join(dirname(importer), name)] : [];
  return packages.flatMap(({ name: packageName, folder, entries }) => {
    if (name !== packageName && !name.startsWith(`${packageName}/`)) return [];
    const entry = entries[`.${name.slice(packageName.length)}`];
    return entry === undefined ? [] : [join(folder, entry)];
  });
}
