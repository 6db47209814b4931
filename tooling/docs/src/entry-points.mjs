// @ts-check
import { join } from "node:path";
import { publishedPackages } from "@switchyard/checks/repository";

/** A public entry point: the name that programs import, its source file, and the description of its package. @typedef {{ name: string, file: string, description: string }} EntryPoint */

/**
 * Returns all public entry points of the published packages, by name.
 * @returns {EntryPoint[]}
 */
export function entryPoints() {
  const found = publishedPackages().flatMap(({ folder, manifest }) =>
    Object.entries(manifest.exports ?? {}).flatMap(([path, conditions]) => {
      const file = sourceOf(conditions);
      const name = `${manifest.name}${path.slice(1)}`;
      return file === undefined ? [] : [{ name, file: join(folder, file), description: manifest.description ?? "" }];
    }),
  );
  return found.sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * Returns the link to the API page of an entry point.
 * @param {string} name
 * @returns {string}
 */
export function apiPageOf(name) {
  return `/api/${apiFileOf(name)}`;
}

/**
 * Returns the file name of the API page of an entry point, without extension.
 * @param {string} name
 * @returns {string}
 */
export function apiFileOf(name) {
  return name.replace("@switchyard/", "").replaceAll("/", "-");
}

/** @param {unknown} conditions @returns {string | undefined} */
function sourceOf(conditions) {
  if (typeof conditions !== "object" || conditions === null) return undefined;
  const source = Object.entries(conditions).find(([condition]) => condition === "@switchyard/source")?.[1];
  return typeof source === "string" && source.endsWith(".ts") ? source : undefined;
}
