// @ts-check
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Root folder of the repository. */
export const ROOT = resolve(import.meta.dirname, "../../..");

/**
 * The fields of a package.json that checks read.
 * @typedef {{ name: string, version: string, private?: boolean, description?: string, license?: string,
 * scripts?: Record<string, string>, exports?: Record<string, unknown>, bin?: Record<string, string>, dependencies?: Record<string, string>,
 * devDependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 * peerDependenciesMeta?: Record<string, { optional?: boolean }>, publishConfig?: { access?: string, provenance?: boolean }, homepage?: string, bugs?: string, files?: string[],
 * repository?: { type?: string, url?: string, directory?: string } }} Manifest
 */

/** A published workspace. @typedef {{ folder: string, manifest: Manifest }} Package */

/**
 * @param {string} folder
 * @returns {Manifest}
 */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/**
 * Returns every public workspace under packages/ and apps/.
 * @param {string} [root]
 * @returns {Package[]}
 */
export function publishedPackages(root = ROOT) {
  const folders = ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(root, parent, name)),
  );
  const packages = folders
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => ({ folder, manifest: readManifest(folder) }));
  return packages.filter(({ manifest }) => manifest.private !== true);
}

/**
 * Returns files below a folder whose relative path is accepted, without build output and installed packages.
 * @param {string} folder
 * @param {(path: string) => boolean} accepts
 * @returns {string[]} relative paths, sorted
 */
export function filesBelow(folder, accepts) {
  if (!existsSync(folder)) return [];
  /** @param {string} prefix @returns {string[]} */
  const walk = (prefix) =>
    readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
      const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
      if (!entry.isDirectory()) return [path];
      return ["node_modules", "dist", ".cache", ".turbo"].includes(entry.name) ? [] : walk(path);
    });
  return walk("").filter(accepts).sort();
}
