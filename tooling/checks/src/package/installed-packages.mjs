// @ts-check
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * An installed package as npm records it.
 * @typedef {{ dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 * peerDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, { optional?: boolean }> }} Installed
 */

/**
 * Packages installed in a project. `showOnly` hides all but some and their dependencies: what is left is what npm would
 * have installed for those alone, so code cannot load a package that it does not declare.
 * @typedef {{ showOnly(names: readonly string[]): void }} InstalledPackages
 */

const FOLDER = "node_modules/";

/**
 * @param {string} project
 * @returns {InstalledPackages}
 */
export function installedPackages(project) {
  /** @type {Record<string, Installed>} */
  const packages = JSON.parse(readFileSync(join(project, "node_modules/.package-lock.json"), "utf8")).packages;
  const paths = Object.keys(packages).filter((path) => path.startsWith(FOLDER));
  const all = new Set(paths.map(topLevelOf));
  /** @type {Set<string>} */
  const hidden = new Set();
  return {
    showOnly(names) {
      const wanted = new Set(names.flatMap((name) => withDependencies(FOLDER + name, packages)).map(topLevelOf));
      for (const path of all) {
        if (wanted.has(path) !== hidden.has(path)) continue;
        const [from, to] = wanted.has(path) ? [`.hidden/${path}`, path] : [path, `.hidden/${path}`];
        mkdirSync(dirname(join(project, to)), { recursive: true });
        renameSync(join(project, from), join(project, to));
        if (wanted.has(path)) hidden.delete(path);
        else hidden.add(path);
      }
    },
  };
}

/**
 * Returns the folder directly below the project's node_modules that contains an installed package.
 * @param {string} path
 * @returns {string}
 */
function topLevelOf(path) {
  const [, name = ""] = path.split(FOLDER);
  return FOLDER + name.replace(/\/$/, "");
}

/**
 * Returns the folders of a package and of all that it depends on, directly or not.
 * @param {string} path folder of the package
 * @param {Readonly<Record<string, Installed>>} packages
 * @returns {string[]}
 */
function withDependencies(path, packages) {
  const found = new Set([path]);
  for (const folder of found) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[folder] ?? {};
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    for (const name of names.filter((one) => peerDependenciesMeta?.[one]?.optional !== true)) {
      const resolved = resolveFrom(folder, name, packages);
      if (resolved !== undefined) found.add(resolved);
    }
  }
  return [...found];
}

/**
 * Returns the folder that Node loads a package from. `undefined` if it is not installed.
 * @param {string} from folder of the package that loads it
 * @param {string} name
 * @param {Readonly<Record<string, Installed>>} packages
 * @returns {string | undefined}
 */
function resolveFrom(from, name, packages) {
  const candidate = `${from}/${FOLDER}${name}`;
  if (candidate in packages) return candidate;
  const parent = from.lastIndexOf(`/${FOLDER}`);
  if (parent !== -1) return resolveFrom(from.slice(0, parent), name, packages);
  return FOLDER + name in packages ? FOLDER + name : undefined;
}
