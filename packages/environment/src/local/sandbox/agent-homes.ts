import { join, resolve } from "node:path";
import { isAtOrBelow } from "./bubblewrap-arguments.ts";

/**
 * Environment variables that contain the path of a coding agent's folder. Each is listed with the location of the
 * agent's credentials, relative to this folder.
 */
const AGENT_HOMES = {
  ...{ CLAUDE_CONFIG_DIR: ".", CODEX_HOME: ".", COPILOT_HOME: ".", GEMINI_CLI_HOME: ".gemini" },
  XDG_DATA_HOME: "opencode",
} as const;

/**
 * Returns the folders in which coding agents store credentials according to the environment variables. Folders in the
 * workspace and folders that contain the workspace are omitted, because an agent in a sandbox may use them.
 */
export function listAgentHomes(env: Readonly<Record<string, string | undefined>>, root: string): readonly string[] {
  return Object.entries(AGENT_HOMES).flatMap(([name, below]) => {
    const value = env[name] ?? "";
    if (value.trim() === "") return [];
    const path = join(resolve(root, value), below);
    return isAtOrBelow(root, path) || isAtOrBelow(path, root) ? [] : [path];
  });
}
