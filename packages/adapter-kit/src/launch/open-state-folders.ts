import { posix } from "node:path";
import { EngineError, type ExecutionEnvironment, type StartAgentSessionOptions } from "@switchyard/contracts";
import type { AgentSettings } from "../definition/define-adapter.ts";

/**
 * Folder of a sandbox that is empty at first, and is removed with the sandbox. The folder is not below `/tmp`, because
 * Codex allows the commands of its model to write there: they could change the configuration of Codex.
 */
const PARENT = "/var/tmp/agent-state";
/** Time limit for creating the folders, in milliseconds. */
const CREATE_MS = 30_000;

type StateFolderOptions = Pick<StartAgentSessionOptions, "environment" | "workspacePath" | "signal">;

/**
 * Creates the folders for the state of an agent in a sandbox, whose home folder is read-only. Resolves with the
 * environment variables that name the folders. A variable that already names a folder in the workspace keeps its value,
 * because that folder is writable in a sandbox. Resolves with no variables in other environments. Rejects with
 * `environment.io_failed`.
 */
export async function openStateFolders(
  { stateFolders = {}, variables }: AgentSettings,
  { environment, workspacePath, signal }: StateFolderOptions,
): Promise<Readonly<Record<string, string>>> {
  if (!isSandbox(environment)) return {};
  const folders = Object.entries(stateFolders)
    .filter(([name]) => !isInside(workspacePath, variables[name]?.reveal()))
    .map(([name, folder]) => [name, `${PARENT}/${folder}`] as const);
  if (folders.length === 0) return {};
  const created = await environment.exec(["mkdir", "-p", "--", ...folders.map(([, path]) => path)], {
    ...{ timeoutMs: CREATE_MS, env: { policy: "core" as const } },
    ...(signal === undefined ? {} : { signal }),
  });
  if (created.aborted) throw new EngineError("adapter.turn_cancelled");
  if (created.exitCode !== 0) {
    throw new EngineError("environment.io_failed", {
      ...{ operation: "Creating the folder of an agent", path: PARENT, problem: created.stderr.trim() },
    });
  }
  return Object.fromEntries(folders);
}

/** Returns whether a path is below a folder. */
function isInside(folder: string, path: string | undefined): boolean {
  return path !== undefined && posix.resolve(folder, path).startsWith(`${folder}/`);
}

/** Returns whether the environment is a sandbox, which may be wrapped: then its name is, for example, `sandbox+logging`. */
function isSandbox({ name }: ExecutionEnvironment): boolean {
  return name.split("+")[0] === "sandbox";
}
