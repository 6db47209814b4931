// @ts-check
// Run in the command's folder: packages that `switchyard init` makes pass their own tests at once, outside of this
// repository, with our packages as they would be published; and the command finds and examines a new adapter.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { workspaceTarballs } from "./package/consumer-project.mjs";
import { npmInstall, runStep } from "./package/run-step.mjs";
import { ROOT } from "./repository.mjs";

const BIN = join(process.cwd(), "dist/bin.cjs");
const NAME = "first-try";
/** Fewer than the cases of the engine contract. */
const FEWEST_TESTS = 30;
const outcomes = ["adapter", "engine"].map(prove);
reportOutcome({
  problems: outcomes.flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
  passed: outcomes.reduce((total, { taken }) => total + taken, 0),
});

/**
 * @param {string} kind
 * @returns {{ taken: number, problem?: string }}
 */
function prove(kind) {
  const folder = mkdtempSync(join(tmpdir(), "switchyard-new-"));
  const made = join(folder, "made");
  /** @type {[string, () => string | undefined][]} */
  const steps = [
    ["init", () => runStep([process.execPath, BIN, "init", kind, NAME, "--folder", made], folder)],
    ["npm install", () => install(made)],
    ["npm test", () => testAll(made)],
    ...(kind === "adapter"
      ? [/** @type {[string, () => string | undefined]} */ (["use", () => useIt(folder, made)])]
      : []),
  ];
  try {
    let taken = 0;
    for (const [step, perform] of steps) {
      const problem = perform();
      if (problem !== undefined) return { taken, problem: `a new ${kind}, ${step}: ${problem}` };
      taken += 1;
    }
    return { taken };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} made
 * @returns {string | undefined}
 */
function install(made) {
  useTarballs(made);
  return npmInstall(made);
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

/**
 * Uses tarballs for our packages and this repository's compiler, because nothing is published yet.
 * @param {string} made
 */
function useTarballs(made) {
  const path = join(made, "package.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  const names = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
  const tarballs = Object.fromEntries(workspaceTarballs(names));
  for (const field of ["dependencies", "devDependencies"]) {
    for (const name of Object.keys(manifest[field])) manifest[field][name] = tarballs[name] ?? manifest[field][name];
  }
  manifest.devDependencies.typescript = `file:${join(ROOT, "node_modules/typescript")}`;
  const direct = new Set(names);
  manifest.overrides = Object.fromEntries(Object.entries(tarballs).filter(([name]) => !direct.has(name)));
  writeFileSync(path, JSON.stringify(manifest, null, 2));
}

/**
 * Creates a project that depends on the new adapter.
 * @param {string} folder
 * @param {string} made
 */
function useIt(folder, made) {
  const project = join(folder, "project");
  mkdirSync(join(project, "node_modules"), { recursive: true });
  symlinkSync(made, join(project, `node_modules/switchyard-adapter-${NAME}`));
  const asked = spawnSync(process.execPath, [BIN, "engines", "doctor", NAME, "--trust-workspace", "--json"], {
    cwd: project,
    encoding: "utf8",
  });
  const isFound = asked.status === 1 && asked.stdout.includes(`Install ${NAME}`);
  return isFound ? undefined : `the command does not find it: ${asked.stdout}${asked.stderr}`;
}
