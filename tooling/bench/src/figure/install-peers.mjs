// @ts-check
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { resolve } from "node:path";

/** Returns when a file was last written. 0 if it does not exist. @param {string} path */
function writtenAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Installs the peers of a benchmark if they are missing or outdated: exactly as in their lock file, without running
 * their scripts.
 * @param {string} folder in `tooling/bench`
 * @param {string} what for the message
 */
export function installPeers(folder, what) {
  const cwd = resolve(import.meta.dirname, "../..", folder);
  if (writtenAt(resolve(cwd, "node_modules/.modules.yaml")) > writtenAt(resolve(cwd, "pnpm-lock.yaml"))) return;
  console.error(`Installing ${what} in tooling/bench/${folder}; this is done once.`);
  const argv = ["install", "--prod", "--frozen-lockfile", "--ignore-scripts", "--prefer-offline"];
  const { status, error } = spawnSync("pnpm", argv, { cwd, stdio: ["ignore", 2, 2] });
  if (status === 0) return;
  throw new Error(`The peers could not be installed: run "pnpm ${argv.join(" ")}" in ${cwd}.`, { cause: error });
}
