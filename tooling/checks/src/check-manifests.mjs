// @ts-check
// Do the published packages' manifests say what users and the DAG need?
import { relative } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { publishedPackages, ROOT } from "./repository.mjs";

/** @import { Package } from "./repository.mjs" */

const TESTS_ONLY = ["@switchyard/testkit", "@switchyard/suite", "vitest", "fast-check"];

const packages = publishedPackages();
const problems = packages.flatMap(findProblems);
reportOutcome({ problems, passed: Math.max(0, packages.length - problems.length) });

/**
 * @param {Package} workspace
 * @returns {string[]}
 */
function findProblems({ folder, manifest }) {
  const { description, license, publishConfig, dependencies = {} } = manifest;
  const place = `${relative(ROOT, folder)}/package.json`;
  return [
    ...(description === undefined ? [`${place}: description is missing.`] : []),
    ...(license === "Apache-2.0" ? [] : [`${place}: license is not Apache-2.0.`]),
    ...(publishConfig?.access === "public" ? [] : [`${place}: publishConfig.access is not public.`]),
    ...TESTS_ONLY.filter((name) => name in dependencies).map(
      (name) => `${place}: ${name} is for tests; move it to devDependencies.`,
    ),
  ];
}
