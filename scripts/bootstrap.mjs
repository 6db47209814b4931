// @ts-check
// `node scripts/bootstrap.mjs verify|demo [ARGS]`: sets up what is missing, then runs the job. Needs Node, npm and git.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { installWhenChanged } from "./install-when-changed.mjs";
import { turboCommand } from "./turbo-command.mjs";

const root = resolve(import.meta.dirname, "..");

/**
 * A job: what it needs built, the script that does it, and the arguments that come before the user's.
 * @type {Readonly<Record<string, { prepare: () => void, script: string, args: string[] }>>}
 */
const JOBS = {
  verify: { prepare: () => {}, script: "scripts/verify.mjs", args: [] },
  demo: { prepare: buildCli, script: "apps/cli/dist/bin.cjs", args: ["demo"] },
};

const [name = "", ...rest] = process.argv.slice(2);
const job = JOBS[name];
if (job === undefined) stop(`Unknown job "${name}". Use one of: ${Object.keys(JOBS).join(", ")}.`, 2);
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  stop(`Node ${process.versions.node} is too old. Switchyard needs 20.19 or newer: https://nodejs.org.`, 2);
}
try {
  Object.assign(process.env, installWhenChanged(root));
  job.prepare();
} catch (error) {
  stop(error instanceof Error ? error.message : String(error), 1);
}
// In this process, so that terminal, signals and exit code are the job's own.
const script = resolve(root, job.script);
process.argv.splice(1, process.argv.length, script, ...job.args, ...rest);
await import(pathToFileURL(script).href);

/**
 * Builds the command line and what it is made of; answers from turbo's cache when nothing changed.
 * @returns {void}
 */
function buildCli() {
  const [command, ...args] = turboCommand(root, ["run", "build", "--filter=@switchyard/cli"]);
  const build = spawnSync(command, [...args, "--output-logs=errors-only"], { cwd: root, encoding: "utf8" });
  if (build.status !== 0) throw new Error(`The build failed:\n${build.stdout}${build.stderr}`);
}

/**
 * @param {string} message
 * @param {number} exitCode
 * @returns {never}
 */
function stop(message, exitCode) {
  console.error(message);
  process.exit(exitCode);
}
