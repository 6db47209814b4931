// @ts-check
// Run in a package's folder: its tarball and those of its workspace dependencies, installed into an empty npm project
// as a user would, on each Node version: every entry point loads, and the README's first `run` block works.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { createConsumer } from "./consumer-project.mjs";
import { nodeVersions } from "./node-versions.mjs";
import { readManifest } from "./repository.mjs";

/** @import { NodeVersion } from "./node-versions.mjs" */

const folder = process.cwd();
const { name } = readManifest(folder);
const { versions, skipped } = nodeVersions();
const outcomes = versions.map(proveOn);
reportOutcome({
  problems: outcomes.flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
  passed: outcomes.reduce((total, { taken }) => total + taken, 0),
  skipped,
});

/**
 * Takes a user's steps up to the first that fails.
 * @param {NodeVersion} version
 * @returns {{ taken: number, problem?: string }}
 */
function proveOn(version) {
  const project = mkdtempSync(join(tmpdir(), "switchyard-consumer-"));
  try {
    let taken = 0;
    for (const [step, perform] of createConsumer(folder, project)) {
      const problem = perform(version.env);
      if (problem !== undefined) return { taken, problem: `${name} on ${version.name}, ${step}: ${problem}` };
      taken += 1;
    }
    return { taken };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
