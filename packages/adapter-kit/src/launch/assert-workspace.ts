import { EngineError, type ExecutionEnvironment, messageOf } from "@switchyard/contracts";

/** Matches absolute POSIX and Windows paths. */
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/u;

/**
 * Throws `adapter.invalid_workspace_cwd` unless the path is an absolute folder inside the environment's workspace,
 * after following links. Called again right before each process starts. See agent-adapter: launch target.
 */
export async function assertWorkspace(environment: ExecutionEnvironment, path: string): Promise<void> {
  const refuse = (problem: string, cause?: unknown): EngineError =>
    new EngineError("adapter.invalid_workspace_cwd", { path: path === "" ? "(none)" : path, problem }, { cause });
  if (path === "") throw refuse("no path was given");
  if (!ABSOLUTE.test(path) || path.includes("\0")) throw refuse("the path is not absolute");
  let kind: string;
  try {
    ({ kind } = await environment.stat(path));
  } catch (error) {
    throw refuse(messageOf(error), error);
  }
  if (kind !== "directory") throw refuse("it is not a folder");
}
