// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A real command for tests. `setup` is a required script of its package.
 * @typedef {{ package: string, version: string, command: string, setup?: string }} AgentPackage
 */

const FOLDER = fileURLToPath(new URL("../../../.cache/agents/", import.meta.url));

/** Returns the commands by name. @returns {Readonly<Record<string, AgentPackage>>} */
export function agentPackages() {
  return JSON.parse(readFileSync(new URL("./agents.json", import.meta.url), "utf8"));
}

/**
 * Returns the folder in which a command is installed, separate from the workspaces' dependencies.
 * @param {string} name
 */
export function folderOf(name) {
  return join(FOLDER, name);
}
