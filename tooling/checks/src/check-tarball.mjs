// @ts-check
// Run in the root folder: all tarballs, installed into a pnpm workspace that has one user per package. Each package loads
// only what it declares and has sound types; on each Node version its entry points load, and its README's first `run`
// block works.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { consumerSteps, typeProblems, writeConsumers } from "./package/consumer-project.mjs";
import { nodeVersions } from "./package/node-versions.mjs";
import { pnpmInstall } from "./package/run-step.mjs";
import { publishedPackages } from "./repository.mjs";

/** @import { Consumer } from "./package/consumer-project.mjs" */

const { versions, skipped } = nodeVersions();
const project = mkdtempSync(join(tmpdir(), "switchyard-consumers-"));
try {
  const consumers = writeConsumers(publishedPackages(process.cwd()), project);
  const problem = pnpmInstall(project);
  const outcomes = problem === undefined ? proveEach(consumers) : [{ taken: 0, problems: [problem] }];
  reportOutcome({
    problems: outcomes.flatMap(({ problems }) => problems),
    passed: outcomes.reduce((total, { taken }) => total + taken, 0),
    skipped,
  });
} finally {
  rmSync(project, { recursive: true, force: true });
}

/**
 * @param {readonly Consumer[]} consumers
 * @returns {{ taken: number, problems: string[] }[]}
 */
function proveEach(consumers) {
  const found = typeProblems(consumers, project, versions[0]?.env);
  return consumers.map((consumer) => {
    const problem = found.get(consumer.name);
    if (problem !== undefined) return { taken: 0, problems: [`${consumer.name}, types: ${problem}`] };
    return prove(consumer);
  });
}

/**
 * Runs the steps of a user on each Node version, up to the first that fails.
 * @param {Consumer} consumer
 * @returns {{ taken: number, problems: string[] }}
 */
function prove(consumer) {
  let taken = 1;
  /** @type {string[]} */
  const problems = [];
  for (const version of versions) {
    for (const [step, perform] of consumerSteps(consumer)) {
      const problem = perform(version.env);
      if (problem !== undefined) {
        problems.push(`${consumer.name} on ${version.name}, ${step}: ${problem}`);
        break;
      }
      taken += 1;
    }
  }
  return { taken, problems };
}
