// @ts-check
import { spawnSync } from "node:child_process";

/** Time limit of one command, in milliseconds. */
const STEP_MS = 240_000;
/** Time limit of one installation, in milliseconds. npm sometimes hangs and ignores SIGTERM. */
const INSTALL_MS = 120_000;
const INSTALL_TRIES = 3;
const INSTALL = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];

/**
 * Returns the problem of a finished command. `undefined` if it succeeded.
 * @param {ReturnType<typeof spawnSync>} ended
 * @returns {string | undefined}
 */
function problemOf({ status, signal, error, stdout, stderr }) {
  if (status === 0) return undefined;
  const how = error === undefined ? `exit code ${status ?? signal}` : error.message;
  return `${how}\n${stdout ?? ""}${stderr ?? ""}`;
}

/**
 * Runs a command as a user would. Returns its problem, or `undefined`.
 * @param {readonly string[]} argv
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 */
export function runStep([command = "", ...args], cwd, env = process.env) {
  return problemOf(spawnSync(command, args, { cwd, env, encoding: "utf8", timeout: STEP_MS, killSignal: "SIGKILL" }));
}

/**
 * Installs the dependencies of a project. A hanging npm is restarted, because npm itself is not under test.
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 */
export function npmInstall(cwd, env = process.env) {
  for (let left = INSTALL_TRIES; ; left -= 1) {
    const ended = spawnSync("npm", INSTALL, { cwd, env, encoding: "utf8", timeout: INSTALL_MS, killSignal: "SIGKILL" });
    const hung = ended.error !== undefined && "code" in ended.error && ended.error.code === "ETIMEDOUT";
    if (!hung || left === 1) return problemOf(ended);
    console.error(`npm install did not end within ${INSTALL_MS / 1000} s in ${cwd}: once more`);
  }
}

/**
 * Installs the dependencies of a pnpm workspace. pnpm links files that the machine already has.
 * @param {string} cwd
 * @returns {string | undefined}
 */
export function pnpmInstall(cwd) {
  return runStep(["pnpm", "install", "--prefer-offline", "--ignore-scripts", "--no-frozen-lockfile"], cwd);
}
