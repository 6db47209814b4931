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

const folder = process.cwd();
const { name } = readManifest(folder);
const { versions, skipped } = nodeVersions();
/** @type {string[]} */
const problems = [];
let passed = 0;
for (const version of versions) {
  const project = mkdtempSync(join(tmpdir(), "switchyard-consumer-"));
  try {
    const consumer = createConsumer(folder, project);
    for (const [step, perform] of consumer.steps) {
      const problem = perform(version.env);
      if (problem === undefined) passed += 1;
      else problems.push(`${name} on ${version.name}, ${step}: ${problem}`);
      if (problem !== undefined) break;
    }
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
reportOutcome({ problems, passed, skipped: skipped.map((skip) => ({ ...skip, name: `${name} on ${skip.name}` })) });
