// @ts-check
// Run in a package's folder: is the tarball of the right shape? publint on it, and attw for packages with an API.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { tarballOf } from "./package/tarball-of.mjs";
import { readManifest } from "./repository.mjs";

const folder = process.cwd();
const manifest = readManifest(folder);
const { buffer } = new Uint8Array(readFileSync(tarballOf(folder)));
const { messages } = await publint({ strict: true, pack: { tarball: buffer } });
const problems = messages.map((message) => `publint: ${formatMessage(message, manifest)}`);
if (manifest.exports !== undefined) problems.push(...findTypeProblems(tarballOf(folder)));
reportOutcome({ problems, passed: manifest.exports === undefined ? 1 : 2 });

/**
 * @param {string} tarball
 * @returns {string[]}
 */
function findTypeProblems(tarball) {
  const attw = dirname(createRequire(import.meta.url).resolve("@arethetypeswrong/cli/package.json"));
  const args = [join(attw, "dist/index.js"), tarball, "--profile", "esm-only", "--no-emoji", "--format", "ascii"];
  const run = spawnSync(process.execPath, args, { encoding: "utf8" });
  return run.status === 0 ? [] : [`attw: ${run.stdout}${run.stderr}`];
}
