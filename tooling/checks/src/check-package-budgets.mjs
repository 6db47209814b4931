// @ts-check
// Run in the root folder. Checks that each package's external dependencies and tarball size are within
// .ci/budgets.json.
import { statSync } from "node:fs";
import { readBudgets, reportFigures } from "./budget.mjs";
import { tarballOf } from "./package/tarball-of.mjs";
import { publishedPackages } from "./repository.mjs";

/** @import { Figure } from "./budget.mjs" */
/** @import { Package } from "./repository.mjs" */

const root = process.cwd();
const budgets = readBudgets(root).packages;
reportFigures(publishedPackages(root).flatMap(measure));

/**
 * @param {Package} workspace
 * @returns {Figure[]}
 */
function measure({ manifest }) {
  const { name, dependencies = {} } = manifest;
  const budget = budgets[name] ?? { dependencies: 0, packedKiB: 0 };
  const outside = Object.keys(dependencies).filter((dependency) => !dependency.startsWith("@switchyard/"));
  const packedKiB = Math.ceil(statSync(tarballOf(manifest)).size / 1024);
  return [
    { name: `${name}, outside dependencies`, value: outside.length, limit: budget.dependencies },
    { name: `${name}, packed KiB`, value: packedKiB, limit: budget.packedKiB },
  ];
}
