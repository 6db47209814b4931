// @ts-check
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { npmCommand } from "./npm-command.mjs";

/**
 * Returns the folder of the pnpm version that package.json pins. npm downloads it once into its cache, without a prompt and
 * without a global installation.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @returns {string}
 */
export function locatePinnedPnpm(root, env) {
  const pinned = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")).packageManager;
  const [command, ...args] = npmCommand(env);
  const finder = resolve(root, "scripts/print-pnpm-folder.mjs");
  const found = spawnSync(
    command,
    // Without --prefer-offline, each call asks the registry, and waits long if the registry is unreachable.
    [...args, "exec", "--yes", "--prefer-offline", `--package=${pinned}`, "--", "node", finder],
    { cwd: root, env, encoding: "utf8", shell: process.platform === "win32" },
  );
  if (found.status !== 0) throw new Error(`npm could not fetch ${pinned}:\n${found.stdout ?? ""}${found.stderr ?? ""}`);
  return found.stdout.trim();
}
