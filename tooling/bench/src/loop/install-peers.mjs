// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

const FOLDER = resolve(import.meta.dirname, "../../peers");

/** Fetches the peers where they are not there yet: exactly what their lock file says, and no script of theirs runs. */
export function installPeers() {
  if (existsSync(resolve(FOLDER, "node_modules/.modules.yaml"))) return;
  console.error("Installing the agent loops to compare with, about 230 MB, in tooling/bench/peers; this is done once.");
  const argv = ["install", "--prod", "--frozen-lockfile", "--ignore-scripts", "--prefer-offline"];
  const { status, error } = spawnSync("pnpm", argv, { cwd: FOLDER, stdio: ["ignore", 2, 2] });
  if (status === 0) return;
  throw new Error(`The peers could not be installed: run "pnpm ${argv.join(" ")}" in ${FOLDER}.`, { cause: error });
}
