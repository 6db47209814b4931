import { EngineError, type ExecutionEnvironment, type StartAgentSessionOptions } from "@switchyard/contracts";
import type { AgentSettings } from "../definition/define-adapter.ts";

/**
 * Folder of a sandbox that is empty at first, and is removed with the sandbox. The folder is not below `/tmp`, because
 * Codex allows the commands of its model to write there: they could change the configuration of Codex.
 */
const PARENT = "/var/tmp/agent-state";
/** Time limit for creating the folders, in milliseconds. */
const CREATE_MS = 30_000;

/**
 * Creates the folders for the state of an agent in a sandbox, whose home folder is read-only. Resolves with the
 * environment variables that name the folders. Variables that the agent is given are not replaced. Resolves with no
 * variables in other environments. Rejects with `environment.io_failed`.
 */
export async function openStateFolders(
  { stateFolders = {}, variables }: AgentSettings,
  { environment, signal }: Pick<StartAgentSessionOptions, "environment" | "signal">,
): Promise<Readonly<Record<string, string>>> {
  if (!isSandbox(environment)) return {};
  const folders = Object.entries(stateFolders)
    .filter(([name]) => variables[name] === undefined)
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

/** Returns whether commands run in a sandbox. Wrappers append their name, such as `sandbox+logging`. */
function isSandbox({ name }: ExecutionEnvironment): boolean {
  return name.split("+")[0] === "sandbox";
}
