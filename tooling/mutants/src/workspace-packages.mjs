// @ts-check
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * A package of the repository. Paths are relative to the repository and use `/`.
 * @typedef {object} WorkspacePackage
 * @property {string} name
 * @property {string} folder
 * @property {readonly string[]} sources files that users get
 * @property {readonly string[]} tests those that load sources; not those that start the built command
 * @property {readonly string[]} helpers other files that tests may use
 * @property {readonly string[]} dependencies names of packages that it or its tests import
 * @property {Readonly<Record<string, string>>} entries source of each entry point
 */

const PARENTS = ["packages", "apps"];

/** Tests that start the built command, in which a changed source has no part. */
const BUILT = /^(?:apps\/cli\/test|packages\/environment\/test\/task)\//;

/**
 * Returns the packages of a repository, sorted by folder.
 * @param {string} root
 * @returns {WorkspacePackage[]}
 */
export function findPackages(root) {
  return PARENTS.filter((parent) => existsSync(join(root, parent)))
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .sort()
    .map((folder) => readPackage(root, folder));
}

/**
 * Returns the packages that import a package, directly or through others, those with the fewest tests first.
 * @param {readonly WorkspacePackage[]} packages
 * @param {string} name
 * @returns {WorkspacePackage[]}
 */
export function findDependents(packages, name) {
  const found = new Set([name]);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const { name: dependent, dependencies } of packages) {
      if (dependencies.some((dependency) => found.has(dependency))) found.add(dependent);
    }
  }
  return packages
    .filter((candidate) => candidate.name !== name && found.has(candidate.name))
    .sort((one, other) => one.tests.length - other.tests.length);
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {WorkspacePackage}
 */
function readPackage(root, folder) {
  const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const files = ["src", "test", "page"].flatMap((name) => filesBelow(root, join(root, folder, name)));
  const allTests = files.filter((file) => file.endsWith(".test.ts"));
  const tests = allTests.filter((file) => !BUILT.test(file));
  const sources = files.filter((file) => isSource(folder, file));
  const others = new Set([...allTests, ...sources]);
  return {
    name: String(manifest.name),
    folder,
    sources,
    tests,
    helpers: files.filter((file) => !others.has(file)),
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
    entries: entriesOf(manifest.exports ?? {}),
  };
}

/**
 * @param {string | Record<string, unknown>} exported
 * @returns {Record<string, string>}
 */
function entriesOf(exported) {
  const entries = typeof exported === "string" ? { ".": exported } : exported;
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, target]) => {
      if (typeof target === "string") return [[name, target]];
      const source = Object(target)["@switchyard/source"];
      return typeof source === "string" ? [[name, source]] : [];
    }),
  );
}

/**
 * @param {string} folder
 * @param {string} file
 * @returns {boolean}
 */
function isSource(folder, file) {
  return file.startsWith(`${folder}/src/`) && file.endsWith(".ts") && !/\.(?:test|test-d|d)\.ts$/.test(file);
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(root, folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
}
