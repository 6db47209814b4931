// @ts-check
// `node scripts/bootstrap.mjs verify|demo|install-cli [ARGS]`: installs dependencies if needed, then runs the job.
// Needs Node, npm and git.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { installWhenChanged } from "./install-when-changed.mjs";
import { runStep } from "./run-step.mjs";
import { turboCommand } from "./turbo-command.mjs";

const root = resolve(import.meta.dirname, "..");

/**
 * Jobs: each prepares what it needs, then runs a script with its own arguments before the user's.
 * @type {Readonly<Record<string, { prepare: () => Promise<unknown>, script: string, args: string[] }>>}
 */
const JOBS = {
  verify: { prepare: async () => {}, script: "scripts/verify.mjs", args: [] },
  demo: { prepare: buildCli, script: "apps/cli/dist/bin.cjs", args: ["demo"] },
  "install-cli": { prepare: async () => {}, script: "scripts/install-cli.mjs", args: [] },
};

const [name = "", ...rest] = process.argv.slice(2);
const job = JOBS[name];
if (job === undefined) stop(`Unknown job "${name}". Use one of: ${Object.keys(JOBS).join(", ")}.`, 2);
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  stop(`Node ${process.versions.node} is too old. Switchyard needs 20.19 or newer: https://nodejs.org.`, 2);
}
try {
  Object.assign(process.env, await installWhenChanged(root));
  await job.prepare();
} catch (error) {
  stop(error instanceof Error ? error.message : String(error), 1);
}
// The job runs in this process, so that it controls the terminal, signals and exit code.
const script = resolve(root, job.script);
process.argv.splice(1, process.argv.length, script, ...job.args, ...rest);
await import(pathToFileURL(script).href);

/**
 * Builds the command and the packages it contains. Unchanged packages come from turbo's cache.
 * @returns {Promise<unknown>}
 */
function buildCli() {
  const build = ["run", "build", "--filter=@switchyard/cli", "--output-logs=new-only", "--log-order=stream"];
  return runStep("Building the command", turboCommand(root, build), { cwd: root });
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
