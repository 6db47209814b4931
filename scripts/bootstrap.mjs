// @ts-check
// `node scripts/bootstrap.mjs verify|demo [ARGS]`: sets up what is missing, then runs the job. Needs Node, npm and git.
import { spawn, spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { installWhenChanged } from "./install-when-changed.mjs";
import { turboCommand } from "./turbo-command.mjs";

const root = resolve(import.meta.dirname, "..");

/** @type {Readonly<Record<string, (env: NodeJS.ProcessEnv) => string[]>>} */
const JOBS = {
  verify: () => [resolve(root, "scripts/verify.mjs")],
  demo: (env) => {
    buildCli(env);
    return [resolve(root, "apps/cli/dist/bin.js"), "demo"];
  },
};

const [name = "", ...rest] = process.argv.slice(2);
const job = JOBS[name];
if (job === undefined) stop(`Unknown job "${name}". Use one of: ${Object.keys(JOBS).join(", ")}.`, 2);
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  stop(
    `Node ${process.versions.node} is too old: Switchyard needs 20.19 or newer. Install one from https://nodejs.org.`,
    2,
  );
}
try {
  const env = installWhenChanged(root);
  await runInForeground([...job(env), ...rest], env);
} catch (error) {
  stop(error instanceof Error ? error.message : String(error), 1);
}

/**
 * Builds the command line and what it is made of; answers from turbo's cache when nothing changed.
 * @param {NodeJS.ProcessEnv} env
 * @returns {void}
 */
function buildCli(env) {
  const [command, ...args] = turboCommand(root, [
    "run",
    "build",
    "--filter=@switchyard/cli",
    "--output-logs=errors-only",
  ]);
  const build = spawnSync(command, args, { cwd: root, env, encoding: "utf8" });
  if (build.status !== 0) throw new Error(`The build failed:\n${build.stdout}${build.stderr}`);
}

/**
 * Runs Node on a script with our own terminal, and ends as it ends.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<void>}
 */
async function runInForeground(args, env) {
  const child = spawn(process.execPath, args, { stdio: "inherit", env });
  // The terminal sends Ctrl-C to the child as well: it cleans up, and we report how it ended.
  process.on("SIGINT", () => {});
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP"])) process.on(signal, () => child.kill(signal));
  const [code, signal] = await new Promise((settle, fail) => {
    child.on("error", fail);
    child.on("close", (...outcome) => settle(outcome));
  });
  process.exitCode = signal === null ? code : 128 + (signal === "SIGINT" ? 2 : 15);
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
