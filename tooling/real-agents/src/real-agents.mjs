// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A command that tests run for real; `setup` is a script of its package that it cannot do without.
 * @typedef {{ package: string, version: string, command: string, setup?: string }} AgentPackage
 */

const FOLDER = fileURLToPath(new URL("../../../.cache/agents/", import.meta.url));

/**
 * The commands by their names.
 * @returns {Readonly<Record<string, AgentPackage>>}
 */
export function agentPackages() {
  return JSON.parse(readFileSync(new URL("./agents.json", import.meta.url), "utf8"));
}

/**
 * Folder that a command is installed in, apart from what the workspaces need.
 * @param {string} name
 */
export function folderOf(name) {
  return join(FOLDER, name);
}
