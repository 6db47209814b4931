// @ts-check
// Run in the root folder. Checks the content of each tarball: publint on each, and attw on packages with an API.
import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { reportOutcome } from "@switchyard/suite/result-line";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { tarballOf } from "./package/tarball-of.mjs";
import { publishedPackages } from "./repository.mjs";

/** @import { Package } from "./repository.mjs" */

/** Resolutions that packages which are ESM only do not support. */
const UNSUPPORTED = ["node10", "node16-cjs"];

/** @type {string[][]} */
const checked = [];
for (const workspace of publishedPackages(process.cwd())) {
  const data = new Uint8Array(readFileSync(tarballOf(workspace.manifest)));
  checked.push(await findShapeProblems(workspace, data));
  if (workspace.manifest.exports !== undefined) checked.push(await findTypeProblems(workspace, data));
}
reportOutcome({ problems: checked.flat(), passed: checked.filter((problems) => problems.length === 0).length });

/**
 * @param {Package} workspace
 * @param {Uint8Array<ArrayBuffer>} data
 * @returns {Promise<string[]>}
 */
async function findShapeProblems({ manifest }, data) {
  const { messages } = await publint({ strict: true, pack: { tarball: data.buffer } });
  return messages.map((message) => `${manifest.name}: publint: ${formatMessage(message, manifest)}`);
}

/**
 * @param {Package} workspace
 * @param {Uint8Array} data
 * @returns {Promise<string[]>}
 */
async function findTypeProblems({ manifest: { name } }, data) {
  const analysis = await checkPackage(createPackageFromTarballData(data));
  if (!("problems" in analysis)) return [`${name}: attw: the tarball has no types.`];
  return analysis.problems
    .filter((problem) => !("resolutionKind" in problem && UNSUPPORTED.includes(problem.resolutionKind)))
    .map((problem) => `${name}: attw: ${JSON.stringify(problem)}`);
}
