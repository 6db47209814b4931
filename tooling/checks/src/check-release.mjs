// @ts-check
// `pnpm release:check`: publishes every package to a registry on this machine with `npm publish`, then uses each of them in
// an empty folder as a user would, on Node 20, 22 and 24.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { consumerOf, consumerSteps, typeProblems } from "./package/consumer-project.mjs";
import { nodeVersions } from "./package/node-versions.mjs";
import { npmInstall, runStep } from "./package/run-step.mjs";
import { tarballOf } from "./package/tarball-of.mjs";
import { publishedPackages } from "./repository.mjs";

/** @import { Package } from "./repository.mjs" */
/** @import { NodeVersion } from "./package/node-versions.mjs" */

/** Files that every published tarball must contain. */
const REQUIRED_FILES = ["package/package.json", "package/README.md", "package/LICENSE"];

const packages = publishedPackages(process.cwd());
const { versions, skipped } = nodeVersions(["22", "24"]);
const folder = mkdtempSync(join(tmpdir(), "switchyard-release-"));
const registry = spawn(process.execPath, [join(import.meta.dirname, "release/serve-registry.mjs")], {
  stdio: ["pipe", "pipe", "inherit"],
});
try {
  const [line] = await once(registry.stdout, "data");
  const npmrc = writeSettings(Number(line));
  const problems = packages.flatMap((workspace) => publish(workspace, npmrc));
  const outcomes = problems.length > 0 ? [] : packages.map((workspace) => prove(workspace, npmrc));
  reportOutcome({
    problems: [...problems, ...outcomes.flatMap((outcome) => outcome.problems)],
    passed: outcomes.reduce((total, { taken }) => total + taken, packages.length - problems.length),
    skipped,
  });
} finally {
  registry.kill();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Writes npm settings that take only our packages from the registry on this machine.
 * @param {number} port
 * @returns {string} path of the file
 */
function writeSettings(port) {
  const file = join(folder, "npmrc");
  const address = `//127.0.0.1:${port}/`;
  // Provenance is a statement of the build service that publishes, so it cannot be made here.
  const lines = [`@switchyard:registry=http:${address}`, `${address}:_authToken=loopback`, "provenance=false"];
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/**
 * Publishes a tarball, and returns its problems.
 * @param {Package} workspace
 * @param {string} npmrc
 * @returns {string[]}
 */
function publish({ manifest }, npmrc) {
  const tarball = tarballOf(manifest);
  const { stdout } = spawnSync("tar", ["-tzf", tarball], { encoding: "utf8" });
  const files = stdout.split("\n");
  const missing = REQUIRED_FILES.filter((file) => !files.includes(file));
  const problem = runStep(["npm", "publish", "--no-provenance", "--userconfig", npmrc, tarball], folder);
  return [
    ...missing.map((file) => `${manifest.name}: the tarball does not contain ${file}.`),
    ...(problem === undefined ? [] : [`${manifest.name}, npm publish: ${problem}`]),
  ];
}

/**
 * Installs a package by its version into an empty folder, and uses it on each Node version.
 * @param {Package} workspace
 * @param {string} npmrc
 * @returns {{ taken: number, problems: string[] }}
 */
function prove(workspace, npmrc) {
  const { name, version } = workspace.manifest;
  const project = join(folder, basename(workspace.folder));
  mkdirSync(project);
  const manifest = { name: "consumer", private: true, type: "module", dependencies: { [name]: version } };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
  const install = npmInstall(project, { ...process.env, NPM_CONFIG_USERCONFIG: npmrc });
  if (install !== undefined) return { taken: 0, problems: [`${name}, npm install: ${install}`] };
  const consumer = consumerOf(workspace, join(project, "consumer"), project);
  const typeProblem = typeProblems([consumer], project).get(name);
  if (typeProblem !== undefined) return { taken: 1, problems: [`${name}, types: ${typeProblem}`] };
  const outcomes = versions.map((node) => runAll(name, node, consumerSteps(consumer)));
  rmSync(project, { recursive: true, force: true });
  return {
    taken: 2 + outcomes.reduce((total, { taken }) => total + taken, 0),
    problems: outcomes.flatMap(({ problems }) => problems),
  };
}

/**
 * @param {string} name
 * @param {NodeVersion} node
 * @param {readonly [string, (env?: NodeJS.ProcessEnv) => string | undefined][]} steps
 * @returns {{ taken: number, problems: string[] }}
 */
function runAll(name, node, steps) {
  let taken = 0;
  for (const [step, perform] of steps) {
    const problem = perform(node.env);
    if (problem !== undefined) return { taken, problems: [`${name} on ${node.name}, ${step}: ${problem}`] };
    taken += 1;
  }
  return { taken, problems: [] };
}
