// @ts-check
import { join } from "node:path";

/**
 * Where a package's tarball is written.
 * @param {string} folder
 * @returns {string}
 */
export function tarballOf(folder) {
  return join(folder, "node_modules/.cache/pack/package.tgz");
}
