// @ts-check
// Checks that the manifests of published packages contain what users, npm and the DAG need.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { publishedPackages, ROOT, readManifest } from "./repository.mjs";

/** @import { Manifest, Package } from "./repository.mjs" */

const TESTS_ONLY = ["@switchyard/testkit", "@switchyard/suite", "@switchyard/fresh-process", "vitest", "fast-check"];

const SCRIPTS = ["build", "test"];

const REPOSITORY = "https://github.com/switchyard/switchyard";

const packages = publishedPackages();
const problems = packages.flatMap(findProblems);
reportOutcome({ problems, passed: Math.max(0, packages.length - problems.length) });

/**
 * @param {Package} workspace
 * @returns {string[]}
 */
function findProblems({ folder, manifest }) {
  const { description, license, scripts = {}, dependencies = {} } = manifest;
  const wanted = manifest.exports === undefined ? SCRIPTS : [...SCRIPTS, "check:api", "api:update"];
  const place = `${relative(ROOT, folder)}/package.json`;
  return [
    ...(description === undefined ? [`${place}: description is missing.`] : []),
    ...(license === "Apache-2.0" ? [] : [`${place}: license is not Apache-2.0.`]),
    ...findPublishingProblems(folder, manifest).map((problem) => `${place}: ${problem}`),
    ...wanted.filter((name) => !(name in scripts)).map((name) => `${place}: the script ${name} is missing.`),
    ...findReferenceProblems(folder, manifest),
    ...TESTS_ONLY.filter((name) => name in dependencies).map(
      (name) => `${place}: ${name} is for tests; move it to devDependencies.`,
    ),
  ];
}

/**
 * Returns the problems for which npm would reject the manifest, or omit data from the package's page. npm compares
 * `repository.url` with the repository of the build that publishes with provenance.
 * @param {string} folder
 * @param {Manifest} manifest
 * @returns {string[]}
 */
function findPublishingProblems(folder, { publishConfig, homepage, bugs, repository, files = [] }) {
  const path = relative(ROOT, folder);
  return [
    ...(publishConfig?.access === "public" ? [] : ["publishConfig.access is not public."]),
    ...(publishConfig?.provenance === true ? [] : ["publishConfig.provenance is not true."]),
    ...(repository?.url === `git+${REPOSITORY}.git` && repository.directory === path
      ? []
      : [`repository is not git+${REPOSITORY}.git with the directory ${path}.`]),
    ...(homepage === `${REPOSITORY}/tree/main/${path}#readme` ? [] : ["homepage is not the README of the package."]),
    // npm adds the README and the license by itself, but not the release notes that `changeset version` writes.
    ...(files.includes("CHANGELOG.md") ? [] : ["files does not contain CHANGELOG.md."]),
    ...(bugs === `${REPOSITORY}/issues` ? [] : [`bugs is not ${REPOSITORY}/issues.`]),
  ];
}

/**
 * Returns differences between references and dependencies: `tsc -b` follows the former, turbo the latter.
 * @param {string} folder
 * @param {Manifest} manifest
 * @returns {string[]}
 */
function findReferenceProblems(folder, { dependencies = {}, devDependencies = {} }) {
  const place = `${relative(ROOT, folder)}/tsconfig.json`;
  /** @type {{ references?: { path: string }[] }} */
  const { references = [] } = JSON.parse(readFileSync(join(folder, "tsconfig.json"), "utf8"));
  const referred = references.map(({ path }) => readManifest(join(folder, path)).name);
  const needed = Object.keys(dependencies).filter((name) => name.startsWith("@switchyard/"));
  return [
    ...needed.filter((name) => !referred.includes(name)).map((name) => `${place}: no reference to ${name}.`),
    ...referred
      .filter((name) => !(name in dependencies || name in devDependencies))
      .map((name) => `${place}: a reference to ${name}, on which the package does not depend.`),
  ];
}
