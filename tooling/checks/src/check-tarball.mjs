// @ts-check
// Run in the root folder: all tarballs, installed into one npm project. Each package, with only its own dependencies
// beside it, has sound types; on each Node version its entry points load, and its README's first `run` block works.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { consumerSteps, writeConsumer } from "./package/consumer-project.mjs";
import { installedPackages } from "./package/installed-packages.mjs";
import { nodeVersions } from "./package/node-versions.mjs";
import { npmInstall } from "./package/run-step.mjs";
import { publishedPackages } from "./repository.mjs";

/** @import { Package } from "./repository.mjs" */

const packages = publishedPackages(process.cwd());
const { versions, skipped } = nodeVersions();
const project = mkdtempSync(join(tmpdir(), "switchyard-consumer-"));
try {
  writeConsumer(packages, project);
  // Installed once, because npm's result does not depend on the Node version.
  const problem = npmInstall(project, versions[0]?.env);
  const outcomes = problem === undefined ? proveEach() : [{ taken: 0, problems: [problem] }];
  reportOutcome({
    problems: outcomes.flatMap(({ problems }) => problems),
    passed: outcomes.reduce((total, { taken }) => total + taken, 0),
    skipped,
  });
} finally {
  rmSync(project, { recursive: true, force: true });
}

/** @returns {{ taken: number, problems: string[] }[]} */
function proveEach() {
  const installed = installedPackages(project);
  return packages.map((workspace) => {
    installed.showOnly([workspace.manifest.name]);
    return prove(workspace);
  });
}

/**
 * Runs a user's steps: those before the first run once, the others on each Node version, up to the first that fails.
 * @param {Package} workspace
 * @returns {{ taken: number, problems: string[] }}
 */
function prove(workspace) {
  const { name } = workspace.manifest;
  const { types, runs } = consumerSteps(workspace, project);
  const typeProblem = types(versions[0]?.env);
  if (typeProblem !== undefined) return { taken: 0, problems: [`${name}, types: ${typeProblem}`] };
  let taken = 1;
  /** @type {string[]} */
  const problems = [];
  for (const version of versions) {
    for (const [step, perform] of runs) {
      const problem = perform(version.env);
      if (problem !== undefined) {
        problems.push(`${name} on ${version.name}, ${step}: ${problem}`);
        break;
      }
      taken += 1;
    }
  }
  return { taken, problems };
}
