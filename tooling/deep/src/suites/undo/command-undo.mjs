// @ts-check
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** @import { CasePlace } from "./case-place.mjs" */
/** @import { RunAndUndo } from "./run-case.mjs" */

/** The built command. */
const BIN = fileURLToPath(import.meta.resolve("@switchyard/cli/dist/bin.cjs"));
/** Exit code of a refusal. */
const REFUSED = 2;
/** Refusals because there is nothing to restore. */
const NOTHING_TO_RESTORE = /it changed nothing|it changed only branches/;
/** Folder for the engine's input file, which is not a change of the run. */
const INPUTS = "inputs/";

/**
 * Runs the agent's script with `switchyard run` and reverts it with `switchyard undo`.
 * @param {CasePlace} place
 * @returns {RunAndUndo}
 */
export function runAndUndoByCommand({ env }) {
  return async ({ root, folder, base, agent, commits, meanwhile }) => {
    const cwd = join(root, folder);
    const engine = join(base, "engine.yaml");
    await writeFile(engine, engineOf(agent));
    /** @param {string[]} words */
    const switchyard = (words) => start([...words, "--json", "--state", join(base, "state")], { cwd, env });
    const run = await switchyard(["run", "--engine", engine, "--env", "local", "go"]);
    if (run.exitCode !== 0) throw new Error(`switchyard run ended with ${run.exitCode}: ${run.stderr || run.stdout}`);
    await meanwhile();
    const { runId, workspaceLeftOut = [] } = JSON.parse(run.stdout);
    const undo = await switchyard(["undo", runId, ...(commits ? ["--commits"] : [])]);
    const hadNothing = NOTHING_TO_RESTORE.test(undo.stderr);
    if (undo.exitCode !== 0 && undo.exitCode !== REFUSED) {
      throw new Error(`switchyard undo ended with ${undo.exitCode}: ${undo.stderr}`);
    }
    /** @type {string[]} */
    const leftOut = workspaceLeftOut.map((/** @type {{ path: string }} */ { path }) =>
      Buffer.from(path).toString("latin1"),
    );
    return { isRefused: undo.exitCode === REFUSED && !hadNothing, leftOut: [...leftOut, INPUTS] };
  };
}

/** @param {string} script */
function engineOf(script) {
  const command = `sh '${script}' > /dev/null 2>&1; echo '{"exit_code":0,"final_message":"done"}'`;
  const local = { command: "sh", args: ["-c", command] };
  return JSON.stringify({ engine: { name: "script", custom: { transport: "local", effects: "idempotent", local } } });
}

/**
 * @param {string[]} words
 * @param {{ cwd: string, env: Record<string, string | undefined> }} options
 * @returns {Promise<{ exitCode: number, stdout: string, stderr: string }>}
 */
function start(words, options) {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [BIN, ...words], { ...options, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : error.code;
      if (typeof exitCode === "number") resolve({ exitCode, stdout, stderr });
      else reject(error);
    });
  });
}
