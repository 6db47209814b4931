// @ts-check
// Run in a package's folder: are its outside dependencies and its tarball within .ci/budgets.json?
import { statSync } from "node:fs";
import { readBudgets, reportFigures } from "./budget.mjs";
import { tarballOf } from "./package/tarball-of.mjs";
import { readManifest } from "./repository.mjs";

const folder = process.cwd();
const { name, dependencies = {} } = readManifest(folder);
const budget = readBudgets().packages[name] ?? { dependencies: 0, packedKiB: 0 };
const outside = Object.keys(dependencies).filter((dependency) => !dependency.startsWith("@switchyard/"));
reportFigures([
  { name: "outside dependencies", value: outside.length, limit: budget.dependencies },
  { name: "packed KiB", value: Math.ceil(statSync(tarballOf(folder)).size / 1024), limit: budget.packedKiB },
]);
