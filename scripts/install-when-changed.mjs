// @ts-check
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, resolve } from "node:path";
import { installKey, isComplete } from "./install-key.mjs";
import { locatePinnedPnpm } from "./pinned-pnpm.mjs";
import { runStep } from "./run-step.mjs";

const UPDATE_HINT = "After a change of dependencies, update the lock file with `pnpm install`.";

/**
 * Input of the last installation, and the pnpm that it used.
 * @typedef {{ key: string, pnpmFolder: string }} Stamp
 */

/**
 * Installs the workspace's dependencies if its lock file, a manifest or Node has changed since the last installation.
 * Resolves with the environment variables for the workspace's tools: PATH starts with the pinned pnpm, and telemetry is off.
 * @param {string} root
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export async function installWhenChanged(root) {
  const stampFile = resolve(root, "node_modules/.cache/install.json");
  const key = installKey(root);
  const stamp = readStamp(stampFile);
  if (stamp?.key === key && isComplete(root, stamp.pnpmFolder)) return toolEnvironment(stamp.pnpmFolder);
  // Removed until the installation is complete, so that an interrupted one does not look complete.
  rmSync(stampFile, { force: true });
  const pnpmFolder = locatePinnedPnpm(root, quietEnvironment());
  const env = toolEnvironment(pnpmFolder);
  const args = [
    "--frozen-lockfile",
    "--prefer-offline",
    "--reporter=append-only",
    "--config.confirm-modules-purge=false",
  ];
  try {
    await runStep("Installing dependencies", ["pnpm", "install", ...args], { cwd: root, env });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`${problem}\nThe first installation needs the package registry. ${UPDATE_HINT}`);
  }
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, `${JSON.stringify({ key, pnpmFolder })}\n`);
  return env;
}

/**
 * @param {string} file
 * @returns {Stamp | undefined}
 */
function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined; // Not installed yet, or the file is incomplete: install again.
  }
}

/**
 * @param {string} pnpmFolder
 * @returns {NodeJS.ProcessEnv}
 */
function toolEnvironment(pnpmFolder) {
  const env = quietEnvironment();
  return { ...env, PATH: [pnpmFolder, env["PATH"]].join(delimiter) };
}

/** @returns {NodeJS.ProcessEnv} */
function quietEnvironment() {
  return {
    ...process.env,
    TURBO_TELEMETRY_DISABLED: "1",
    TURBO_NO_UPDATE_NOTIFIER: "1",
    DO_NOT_TRACK: "1",
    npm_config_update_notifier: "false",
  };
}
