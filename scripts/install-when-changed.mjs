// @ts-check
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, resolve } from "node:path";
import { installKey, isComplete } from "./install-key.mjs";
import { locatePinnedPnpm } from "./pinned-pnpm.mjs";

const UPDATE_HINT = "After a change of dependencies, update the lock file with `pnpm install`.";

/**
 * What the last installation was made from, and with which pnpm.
 * @typedef {{ key: string, pnpmFolder: string }} Stamp
 */

/**
 * Installs the workspace when its lock file, a manifest or Node changed since the last time.
 * Returns the environment to run the workspace's tools in: the pinned pnpm first on PATH, nothing that phones home.
 * @param {string} root
 * @returns {NodeJS.ProcessEnv}
 */
export function installWhenChanged(root) {
  const stampFile = resolve(root, "node_modules/.cache/install.json");
  const key = installKey(root);
  const stamp = readStamp(stampFile);
  if (stamp?.key === key && isComplete(root, stamp.pnpmFolder)) return toolEnvironment(stamp.pnpmFolder);
  console.error("Setting up: installing dependencies (about half a minute the first time).");
  // Gone until this installation is whole: one that is broken off must not be taken for the one before it.
  rmSync(stampFile, { force: true });
  const pnpmFolder = locatePinnedPnpm(root, quietEnvironment());
  const env = toolEnvironment(pnpmFolder);
  const install = spawnSync(
    "pnpm",
    [
      "install",
      "--frozen-lockfile",
      "--prefer-offline",
      "--reporter=append-only",
      "--config.confirm-modules-purge=false",
    ],
    { cwd: root, env, encoding: "utf8", shell: process.platform === "win32" },
  );
  if (install.status !== 0) {
    const output = `${install.stdout ?? ""}${install.stderr ?? ""}`;
    throw new Error(`Installing failed:\n${output}\nThe first run needs the package registry. ${UPDATE_HINT}`);
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
    return undefined; // Not installed yet, or a stamp that was cut short: install again.
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
