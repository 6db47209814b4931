// @ts-check
import { join } from "node:path";

/**
 * Returns the path of a package's tarball.
 * @param {string} folder
 * @returns {string}
 */
export function tarballOf(folder) {
  return join(folder, "node_modules/.cache/pack/package.tgz");
}
