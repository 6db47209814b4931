// @ts-check
// Run in the root folder. Checks that source files and functions are as short as .ci/budgets.json requires, that the
// command line stays thin because packages contain the logic, and that tracked files contain no traces of one machine.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readBudgets, reportFigures } from "./budget.mjs";
import { functionLengths } from "./function-lengths.mjs";
import { filesBelow, ROOT } from "./repository.mjs";

/** @import { Figure } from "./budget.mjs" */

const root = process.cwd();
const { sourceFiles, functions, commandLine } = readBudgets(root);
const lengths = ["packages", "apps"].flatMap((parent) => sourceLengths(parent)).sort((a, b) => a - b);
const figures = [
  { name: "source files, median lines", value: quantile(0.5), limit: sourceFiles.medianLines },
  { name: "source files, p90 lines", value: quantile(0.9), limit: sourceFiles.p90Lines },
  { name: "apps/cli/src, lines", value: sum(sourceLengths("apps", "cli/")), limit: commandLine.lines },
  ...longestFunctions(),
];
reportFigures(figures, machineTraces());

/**
 * @param {string} parent
 * @param {string} [folder] prefix of the paths below `parent`
 * @returns {number[]}
 */
function sourceLengths(parent, folder = "") {
  const isSource = /^[^/]+\/src\/.*(?<!\.test|\.test-d)\.ts$/;
  const files = filesBelow(join(root, parent), (path) => path.startsWith(folder) && isSource.test(path));
  return files.map((path) => readFileSync(join(root, parent, path), "utf8").split("\n").length - 1);
}

/** Returns all functions over the limit, or the longest function if none is. @returns {Figure[]} */
function longestFunctions() {
  const lengths = functionLengths(root);
  const tooLong = lengths.filter(({ lines }) => lines > functions.lines);
  const shown = tooLong.length > 0 ? tooLong : lengths.slice(0, 1);
  return shown.map(({ name, path, line, lines }) => ({
    name: `function ${name} (${path}:${line}), lines`,
    value: lines,
    limit: functions.lines,
  }));
}

/**
 * @param {readonly number[]} values
 * @returns {number}
 */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * @param {number} share
 * @returns {number}
 */
function quantile(share) {
  return lengths[Math.floor((lengths.length - 1) * share)] ?? 0;
}

/** Returns occurrences of this checkout's path, its owner, or registry hosts. @returns {string[]} */
function machineTraces() {
  const folders = [`${root}/`, ...(homedir().startsWith("/home/") ? [`${homedir()}/`] : [])];
  const patterns = [
    ...folders.map((folder) => folder.replaceAll(".", "\\.")),
    "https?://[^ ]*registry",
    "(tarball|resolved): *http",
  ];
  const grep = spawnSync(
    "git",
    ["grep", "-nIE", patterns.join("|"), "--", ".", `:!${import.meta.filename.slice(ROOT.length + 1)}`],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  if (grep.status === 1) return [];
  if (grep.status !== 0) return [`git grep failed: ${grep.stderr}`];
  return grep.stdout
    .trim()
    .split("\n")
    .map((line) => `A trace of one machine: ${line}`);
}
