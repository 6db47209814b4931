// @ts-check
import { join, resolve } from "node:path";

/** @import { Plugin } from "vitest/config" */
/** @import { InlineConfig } from "vitest/node" */

const ROOT = resolve(import.meta.dirname, "../../..");

/**
 * Folder in which all test processes of one `npm test` store transformed modules. Without it, each package transforms
 * the modules of all packages that it imports again, which takes more processor time than most of its tests.
 */
const folder = process.env["SWITCHYARD_TEST_MODULES"];

/**
 * Returns Vitest settings with which the tests of a package use the modules that other packages have transformed. Empty
 * outside `npm test`.
 *
 * Vitest names a stored module after a hash of its path, its content and the settings that it was transformed with. The
 * hash does not cover the manifests from which imports are resolved, so the folder must not outlive a run.
 * @param {string} [packageFolder] default: the working directory
 * @returns {InlineConfig}
 */
export function sharedModules(packageFolder = process.cwd()) {
  if (folder === undefined) return {};
  // The root is part of the hash, so it is the same for all packages.
  return { root: ROOT, dir: packageFolder, experimental: { fsModuleCache: true, fsModuleCachePath: folder } };
}

/**
 * Returns the folder of Vite's other caches, which packages do not share.
 * @param {string} [packageFolder] default: the working directory
 * @returns {string}
 */
export function cacheFolder(packageFolder = process.cwd()) {
  return join(packageFolder, "node_modules/.vite");
}

/**
 * Removes the text of a package's `vitest.config.ts` from the hash: it chooses tests, and `resolve` and the plugins,
 * which decide how modules are transformed, are in the hash themselves.
 * @returns {Plugin}
 */
export function sharedModuleNames() {
  return {
    name: "switchyard-shared-modules",
    // Projects without this plugin, which transforms nothing, share modules with those that have it.
    api: { vitest: { experimental: { ignoreFsModuleCache: true } } },
    configResolved(config) {
      if (folder !== undefined) config.configFileDependencies.length = 0;
    },
  };
}
