// @ts-check
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { RestoreRefusal, restoreChanges, restoreReferences, takeSnapshot } from "@switchyard/workspace";
import { folderState } from "./folder-state.mjs";
import { generateCase } from "./generated-case.mjs";

/** @import { WorkspaceChanges } from "@switchyard/workspace" */
/** @import { DeepOptions, DeepResult } from "../../deep-suite.mjs" */
/** @import { GeneratedCase } from "./generated-case.mjs" */

const execute = promisify(execFile);
/** Cases that run at the same time. */
const AT_ONCE = 2;
const PROGRESS = 500;

const GIT_CONFIG = `[user]
	name = A
	email = a@example.com
[init]
	defaultBranch = main
[protocol "file"]
	allow = always
[gc]
	auto = 0
[filter "lfs"]
	clean = git-lfs clean -- %f
	smudge = git-lfs smudge -- %f
	required = true
[filter "up"]
	clean = tr a-z A-Z
	smudge = tr A-Z a-z
`;

/**
 * What is tested: restores the files, and the references if asked to. A test replaces it with a wrong one.
 * @typedef {(restoring: Restoring) => Promise<void>} Restore
 */

/**
 * @typedef {object} Restoring
 * @property {string} root
 * @property {string} base
 * @property {Record<string, string | undefined>} env
 * @property {WorkspaceChanges} changes
 * @property {boolean} commits
 */

/**
 * Runs cases of the suite.
 * @param {DeepOptions & { restore?: Restore }} options
 * @returns {Promise<DeepResult>}
 */
export async function runUndoSuite({ seed, first, count, log, restore = restoreAll }) {
  const base = await mkdtemp(join(tmpdir(), "switchyard-undo-"));
  const counted = { restored: 0, refused: 0, "with branches and index": 0, "files compared": 0 };
  /** @type {{ case: number, problem: string }[]} */
  const failures = [];
  let cases = 0;
  try {
    const env = await makeHome(base);
    const open = Array.from({ length: count }, (_, index) => first + index).values();
    const work = async () => {
      for (const index of open) {
        const folder = join(base, String(index));
        const generated = generateCase(seed, index);
        const outcome = await runCase(generated, { folder, env, restore }).catch((error) => ({
          problem: String(error),
          files: 0,
        }));
        cases += 1;
        counted["files compared"] += outcome.files;
        if (outcome.problem === "refused") counted.refused += 1;
        else if (outcome.problem === undefined) {
          counted.restored += 1;
          if (generated.commits) counted["with branches and index"] += 1;
        } else failures.push({ case: index, problem: outcome.problem });
        await execute("rm", ["-rf", folder]);
        if (cases % PROGRESS === 0) log(`${cases} of ${count}, ${failures.length} failures`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await rm(base, { recursive: true, force: true });
  }
  return { cases, figures: counted, failures: failures.sort((a, b) => a.case - b.case) };
}

/**
 * @param {string} base
 * @returns {Promise<Record<string, string | undefined>>}
 */
async function makeHome(base) {
  const home = join(base, "home");
  await mkdir(home);
  await writeFile(join(home, ".gitconfig"), GIT_CONFIG);
  const submodule = join(base, "submodule");
  const env = { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C", SUBMODULE: submodule };
  await mkdir(submodule);
  await execute("sh", ["-ec", "git init -q; echo s > s; git add -A; git commit -qm s"], { cwd: submodule, env });
  return env;
}

/**
 * @param {GeneratedCase} generated
 * @param {{ folder: string, env: Record<string, string | undefined>, restore: Restore }} place
 * @returns {Promise<{ problem?: string, files: number }>}
 */
async function runCase({ setUp, agent, user, commits }, { folder: base, env, restore }) {
  const root = join(base, "work");
  await mkdir(root, { recursive: true });
  /** @param {string} script */
  const sh = (script) => execute("sh", ["-c", `umask 022\n${script}\ntrue`], { cwd: root, env, maxBuffer: 2 ** 26 });
  await sh(setUp);
  const before = await folderState(root);
  const references = commits ? (await sh(REFERENCES)).stdout : "";
  const changes = await changesOf({ root, base, env }, () => sh(agent));
  if (changes === undefined) return { problem: "there is no snapshot", files: 0 };
  const ended = await folderState(root);
  if (user !== "") await sh(user);
  const found = user === "" ? ended : await folderState(root);
  // The user's edits stay.
  const excused = new Set(differences(ended, found));
  const foundReferences = commits ? (await sh(REFERENCES)).stdout : "";
  const isRefused = await restore({ root, base, env, changes, commits }).then(
    () => false,
    (error) => {
      if (error instanceof RestoreRefusal || /is a folder|EISDIR|ENOTEMPTY|no folder any more/.test(String(error)))
        return true;
      throw error;
    },
  );
  const after = await folderState(root);
  const files = Object.keys(after).length;
  if (isRefused) {
    const moved = differences(found, after);
    const isSame = !commits || (await sh(REFERENCES)).stdout === foundReferences;
    if (moved.length > 0 || !isSame)
      return { problem: `refused, and changed ${moved.join(", ") || "references"}`, files };
    if (user === "" && !commits) return { problem: "refused although nothing happened since the run", files };
    return { problem: "refused", files };
  }
  const left = changes.record.leftOut.map(({ path }) => Buffer.from(path).toString("latin1"));
  /** @param {string} path */
  const isLeftOut = (path) =>
    left.some(
      (one) => path === one || (one.endsWith("/") && `${path}/`.startsWith(one)) || `${one}/`.startsWith(`${path}/`),
    );
  const wrong = differences(before, after).filter((path) => !isLeftOut(path) && !excused.has(path));
  if (wrong.length > 0)
    return { problem: `not restored: ${wrong.map((path) => JSON.stringify(path)).join(", ")}`, files };
  if (commits && (await sh(REFERENCES)).stdout !== references)
    return { problem: "branches or index are not restored", files };
  return { files };
}

/**
 * @param {{ root: string, base: string, env: Record<string, string | undefined> }} place
 * @param {() => Promise<unknown>} run
 */
async function changesOf({ root, base, env }, run) {
  // Node 20 has no `await using` in modules that are not compiled.
  const environment = await openLocalEnvironment({ root, env });
  try {
    const snapshot = await takeSnapshot(environment, { scratch: join(base, "scratch") });
    await run();
    return await snapshot?.changes();
  } finally {
    await environment[Symbol.asyncDispose]();
  }
}

/** What is compared of branches and of what is staged. */
const REFERENCES =
  "git for-each-ref; git symbolic-ref -q HEAD || git rev-parse -q --verify HEAD; git ls-files -s -v; true";

/**
 * @param {Record<string, string>} one
 * @param {Record<string, string>} other
 */
function differences(one, other) {
  const paths = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...paths].filter((path) => one[path] !== other[path]);
}

/** @type {Restore} */
export async function restoreAll({ root, base, env, changes, commits }) {
  const { record, diff, exact, index } = changes;
  const patch = diff === "" ? "" : exact === undefined ? diff : await readFile(exact);
  const beforeSwap = async () => {
    if (commits) await restoreReferences({ env, folder: root, changes: record.repositories, index });
  };
  await restoreChanges({
    env,
    folder: root,
    prefix: "",
    patch,
    record,
    aside: join(base, "aside"),
    runId: "deep",
    beforeSwap,
  });
}
