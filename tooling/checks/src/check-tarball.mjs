// @ts-check
// Run in a package's folder: its tarball and those of its workspace dependencies, installed into an empty npm project
// as a user would; on each Node version every entry point loads, and the README's first `run` block works.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { consumerSteps, createConsumer } from "./package/consumer-project.mjs";
import { nodeVersions } from "./package/node-versions.mjs";
import { npmInstall } from "./package/run-step.mjs";
import { readManifest } from "./repository.mjs";

/** @import { NodeVersion } from "./package/node-versions.mjs" */

const folder = process.cwd();
const { name } = readManifest(folder);
const { versions, skipped } = nodeVersions();
const project = mkdtempSync(join(tmpdir(), "switchyard-consumer-"));
try {
  // Installed once, because npm's result does not depend on the Node version.
  const installed = npmInstall(createConsumer(folder, project), versions[0]?.env);
  const outcomes = installed === undefined ? versions.map(proveOn) : [{ taken: 0, problem: `${name}: ${installed}` }];
  reportOutcome({
    problems: outcomes.flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
    passed: outcomes.reduce((total, { taken }) => total + taken, 0),
    skipped,
  });
} finally {
  rmSync(project, { recursive: true, force: true });
}

/**
 * Runs a user's steps up to the first that fails.
 * @param {NodeVersion} version
 * @returns {{ taken: number, problem?: string }}
 */
function proveOn(version) {
  let taken = 0;
  for (const [step, perform] of consumerSteps(folder, project)) {
    const problem = perform(version.env);
    if (problem !== undefined) return { taken, problem: `${name} on ${version.name}, ${step}: ${problem}` };
    taken += 1;
  }
  return { taken };
}
