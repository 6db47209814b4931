// @ts-check
// Run in the root folder. Checks that packages created by `switchyard init` pass their own tests immediately, outside
// of this repository, with our packages as they would be published. Also checks that the command finds and examines a
// new adapter.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { workspaceTarballs } from "./package/consumer-project.mjs";
import { installedPackages } from "./package/installed-packages.mjs";
import { npmInstall, runStep } from "./package/run-step.mjs";
import { ROOT, readManifest } from "./repository.mjs";

/** @import { InstalledPackages } from "./package/installed-packages.mjs" */

/** A step of a user. Returns its problem, or `undefined`. @typedef {() => string | undefined} Step */

const BIN = join(ROOT, "apps/cli/dist/bin.cjs");
const NAME = "first-try";
/** Fewer than the cases of the engine contract. */
const FEWEST_TESTS = 30;
const KINDS = ["adapter", "engine"];
const project = mkdtempSync(join(tmpdir(), "switchyard-new-"));
try {
  const made = proveSteps([
    ...KINDS.map((kind) => /** @type {[string, Step]} */ ([`a new ${kind}, init`, () => init(kind)])),
    ["npm install", install],
  ]);
  const outcomes = made.problem === undefined ? [made, ...proveEach(installedPackages(project))] : [made];
  reportOutcome({
    problems: outcomes.flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
    passed: outcomes.reduce((total, { taken }) => total + taken, 0),
  });
} finally {
  rmSync(project, { recursive: true, force: true });
}

/**
 * Runs steps up to the first that fails.
 * @param {readonly [string, Step][]} steps
 * @returns {{ taken: number, problem?: string }}
 */
function proveSteps(steps) {
  let taken = 0;
  for (const [step, perform] of steps) {
    const problem = perform();
    if (problem !== undefined) return { taken, problem: `${step}: ${problem}` };
    taken += 1;
  }
  return { taken };
}

/**
 * Tests each new package with only its own dependencies installed.
 * @param {InstalledPackages} installed
 * @returns {{ taken: number, problem?: string }[]}
 */
function proveEach(installed) {
  return KINDS.map((kind) => {
    const { dependencies, devDependencies } = readManifest(join(project, kind));
    installed.showOnly(Object.keys({ ...dependencies, ...devDependencies }));
    return proveSteps([
      [`a new ${kind}, npm test`, () => testAll(join(project, kind))],
      ...(kind === "adapter" ? [/** @type {[string, Step]} */ ([`a new ${kind}, use`, useAdapter])] : []),
    ]);
  });
}

/**
 * @param {string} kind
 * @returns {string | undefined}
 */
function init(kind) {
  return runStep([process.execPath, BIN, "init", kind, NAME, "--folder", join(project, kind)], project);
}

/**
 * Installs the dependencies of the new packages: one installation for both.
 * @returns {string | undefined}
 */
function install() {
  const names = KINDS.flatMap((kind) => useTarballs(join(project, kind)));
  const overrides = Object.fromEntries(workspaceTarballs(names).filter(([name]) => !names.includes(name)));
  const manifest = { name: "new-packages", private: true, workspaces: KINDS, overrides };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest, null, 2));
  return npmInstall(project);
}

/**
 * Uses tarballs for our packages and this repository's compiler, because nothing is published yet.
 * @param {string} made folder of a new package
 * @returns {string[]} names of its dependencies
 */
function useTarballs(made) {
  const manifest = readManifest(made);
  const { dependencies = {}, devDependencies = {} } = manifest;
  const names = Object.keys({ ...dependencies, ...devDependencies });
  const tarballs = Object.fromEntries(workspaceTarballs(names));
  for (const list of [dependencies, devDependencies]) {
    for (const [name, version] of Object.entries(list)) list[name] = tarballs[name] ?? version;
  }
  devDependencies["typescript"] = `file:${join(ROOT, "node_modules/typescript")}`;
  writeFileSync(join(made, "package.json"), JSON.stringify(manifest, null, 2));
  return names;
}

/**
 * Runs the tests of the new package, and checks that there were enough of them.
 * @param {string} made
 * @returns {string | undefined}
 */
function testAll(made) {
  const ended = spawnSync("npm", ["test"], { cwd: made, encoding: "utf8", timeout: 240_000, killSignal: "SIGKILL" });
  const passed = Number(/^[^\w]*pass (\d+)$/m.exec(ended.stdout)?.[1] ?? 0);
  if (ended.status === 0 && passed >= FEWEST_TESTS) return undefined;
  return `exit code ${ended.status ?? ended.signal}, ${passed} tests passed\n${ended.stdout}${ended.stderr}`;
}

/** Creates a project that depends on the new adapter. @returns {string | undefined} */
function useAdapter() {
  const host = join(project, "host");
  mkdirSync(join(host, "node_modules"), { recursive: true });
  symlinkSync(join(project, "adapter"), join(host, `node_modules/switchyard-adapter-${NAME}`));
  const asked = spawnSync(process.execPath, [BIN, "engines", "doctor", NAME, "--trust-workspace", "--json"], {
    cwd: host,
    encoding: "utf8",
  });
  const isFound = asked.status === 1 && asked.stdout.includes(`Install ${NAME}`);
  return isFound ? undefined : `the command does not find it: ${asked.stdout}${asked.stderr}`;
}
