// @ts-check
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { RestoreRefusal, restoreChanges, restoreReferences, takeSnapshot } from "@switchyard/workspace";
import { runAndUndoByCommand } from "./command-undo.mjs";
import { folderState } from "./folder-state.mjs";
import { generateCase } from "./generated-case.mjs";

/** @import { WorkspaceChanges } from "@switchyard/workspace" */
/** @import { CasePlace, Variables } from "./case-place.mjs" */

/**
 * Function under test: restores the files, and the references if requested. A test replaces it with a wrong one.
 * @typedef {(restoring: Restoring) => Promise<void>} Restore
 */

/**
 * @typedef {object} Restoring
 * @property {string} root Top folder of the workspace's repository, or the workspace itself.
 * @property {string} prefix Path of the workspace below it.
 * @property {string} base
 * @property {Variables} env
 * @property {WorkspaceChanges} changes
 * @property {boolean} commits
 */

/**
 * @typedef {object} CaseOutcome
 * @property {boolean} isRefused
 * @property {boolean} hasReferences Branches and the index were to be restored too.
 * @property {boolean} isCommand The run and its undo were processes of the command line.
 * @property {number} files Files and folders that were compared.
 * @property {string | undefined} [problem] What is wrong.
 */

/**
 * Outcome of a run and its undo. `leftOut` contains paths that `undo` reported as not restored; `meanwhile` is called
 * in between.
 * @typedef {(options: { root: string, folder: string, base: string, agent: string, commits: boolean, meanwhile: () => Promise<void> }) =>
 * Promise<{ isRefused: boolean, leftOut: readonly string[] }>} RunAndUndo
 */

/** State of branches and staged changes that is compared. */
const REFERENCES =
  "git for-each-ref; git symbolic-ref -q HEAD || git rev-parse -q --verify HEAD; git ls-files -s -v; true";
/** Interval of cases in which the run and its undo use the command line. */
export const COMMAND_EVERY = 50;

/**
 * Runs one case.
 * @param {number} seed
 * @param {number} index
 * @param {{ place: CasePlace, restore?: Restore | undefined }} options with `restore`, the command line is not tested
 * @returns {Promise<CaseOutcome>}
 */
export async function runCase(seed, index, { place, restore }) {
  const { setUp, agent, user, commits, folder } = generateCase(seed, index);
  const base = place.folder(index);
  const root = join(base, "work");
  await mkdir(root, { recursive: true });
  /** @param {string} name @param {string} script @param {string} cwd */
  const sh = async (name, script, cwd = root) => {
    await place.writeScript(join(base, name), script);
    return place.runScript(join(base, name), cwd);
  };
  const references = async () => (commits ? await sh("references.sh", REFERENCES) : "");
  await sh("set-up.sh", setUp);
  await mkdir(join(root, folder), { recursive: true });
  const [before, referencesBefore] = [await folderState(join(root, folder)), await references()];
  await place.writeScript(join(base, "agent.sh"), agent);
  let [found, foundReferences] = [before, ""];
  /** Edits of the user, which must be kept. @type {ReadonlySet<string>} */
  let edited = new Set();
  const meanwhile = async () => {
    found = await folderState(root);
    if (user !== "") {
      const ended = found;
      await sh("user.sh", user, join(root, folder));
      found = await folderState(root);
      edited = new Set(differences(ended, found).map((path) => path.slice(folder === "" ? 0 : folder.length + 1)));
    }
    foundReferences = await references();
  };
  const isCommand = restore === undefined && index % COMMAND_EVERY === COMMAND_EVERY - 1;
  const runAndUndo = isCommand ? runAndUndoByCommand(place) : runAndUndoInProcess(place, restore ?? restoreAll);
  const script = join(base, "agent.sh");
  const { isRefused, leftOut } = await runAndUndo({ root, folder, base, agent: script, commits, meanwhile });
  const after = await folderState(isRefused ? root : join(root, folder));
  const outcome = { isRefused, hasReferences: commits, isCommand, files: Object.keys(after).length };
  const now = await references();
  if (isRefused) {
    const changed = differences(found, after);
    if (changed.length > 0 || now !== foundReferences)
      return { ...outcome, problem: `refused, and changed ${changed.map(show).join(", ") || "references"}` };
    const isUnexplained = user === "" && !commits;
    return isUnexplained ? { ...outcome, problem: "refused although nothing happened since the run" } : outcome;
  }
  // A folder created by the run is kept if the user put a file there.
  const isEdited = (/** @type {string} */ path) =>
    edited.has(path) || [...edited].some((one) => one.startsWith(`${path}/`));
  const wrong = differences(before, after).filter((path) => !isEdited(path) && !isLeftOut(path, leftOut));
  if (wrong.length > 0) return { ...outcome, problem: `not restored: ${wrong.map(show).join(", ")}` };
  return now === referencesBefore ? outcome : { ...outcome, problem: "branches or index are not restored" };
}

/**
 * @param {string} path
 * @param {readonly string[]} leftOut
 */
function isLeftOut(path, leftOut) {
  return leftOut.some(
    (one) => path === one || (one.endsWith("/") && `${path}/`.startsWith(one)) || `${one}/`.startsWith(`${path}/`),
  );
}

/** @param {string} path */
function show(path) {
  return JSON.stringify(path);
}

/**
 * Takes the snapshot, runs the agent's script and restores, in this process.
 * @param {CasePlace} place
 * @param {Restore} restore
 * @returns {RunAndUndo}
 */
function runAndUndoInProcess(place, restore) {
  const { env } = place;
  return async ({ root, folder, base, agent, commits, meanwhile }) => {
    const workspace = join(root, folder);
    const environment = await openLocalEnvironment({ root: workspace, env });
    /** @type {WorkspaceChanges | undefined} */
    let changes;
    // Node 20 does not support `await using` in uncompiled modules.
    try {
      const snapshot = await takeSnapshot(environment, { scratch: join(base, "scratch") });
      await place.runScript(agent, workspace);
      changes = await snapshot?.changes();
    } finally {
      await environment[Symbol.asyncDispose]();
    }
    if (changes === undefined) throw new Error("there is no snapshot");
    await meanwhile();
    const leftOut = changes.record.leftOut.map(({ path }) => Buffer.from(path).toString("latin1"));
    const restoring = restore({ root, prefix: folder, base, env, changes, commits });
    return { isRefused: await isRefusedBy(restoring), leftOut };
  };
}

/** @param {Promise<void>} restoring */
async function isRefusedBy(restoring) {
  try {
    await restoring;
    return false;
  } catch (error) {
    if (error instanceof RestoreRefusal) return true;
    if (/is a folder|EISDIR|ENOTEMPTY|no longer a folder/.test(String(error))) return true;
    throw error;
  }
}

/** @type {Restore} */
export async function restoreAll({ root, prefix, base, env, changes, commits }) {
  const { record, diff, exact, index } = changes;
  const patch = diff === "" ? "" : exact === undefined ? diff : await readFile(exact);
  const beforeSwap = async () => {
    if (commits) await restoreReferences({ env, folder: root, changes: record.repositories, index });
  };
  const place = { env, folder: root, prefix, aside: join(base, "aside"), runId: "deep" };
  await restoreChanges({ ...place, patch, record, beforeSwap });
}

/**
 * @param {Record<string, string>} one
 * @param {Record<string, string>} other
 */
function differences(one, other) {
  const paths = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...paths].filter((path) => one[path] !== other[path]);
}
