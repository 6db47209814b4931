// @ts-check
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/**
 * The folder of the pnpm that package.json pins. npm fetches it once into its own cache: nothing global, no prompt.
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
    // Without --prefer-offline each call asks the registry, and waits long when it is out of reach.
    [...args, "exec", "--yes", "--prefer-offline", `--package=${pinned}`, "--", "node", finder],
    { cwd: root, env, encoding: "utf8", shell: process.platform === "win32" },
  );
  if (found.status !== 0) throw new Error(`npm could not fetch ${pinned}:\n${found.stdout ?? ""}${found.stderr ?? ""}`);
  return found.stdout.trim();
}

/**
 * npm as it runs us, else the npm on PATH.
 * @param {NodeJS.ProcessEnv} env
 * @returns {[string, ...string[]]}
 */
function npmCommand(env) {
  const runner = env["npm_execpath"] ?? "";
  return runner.endsWith("npm-cli.js") ? [process.execPath, runner] : ["npm"];
}
