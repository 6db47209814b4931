import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import type { EnvironmentConfig } from "@switchyard/environment";
import type { SessionOptions } from "../session/session-options.ts";

/** An environment whose workspace is there. */
export interface OpenedWorkspace {
  environment: ExecutionEnvironment;
  /** Whether the session opened it and closes it. */
  isOwned: boolean;
}

/**
 * Opens the environment of a session, or checks the one it was given. Rejects with `workspace.not_found`,
 * `workspace.not_a_directory` or `environment.*`. architecture: flow 2 and 3.
 */
export async function openWorkspace(options: SessionOptions): Promise<OpenedWorkspace> {
  const { environment } = options;
  if (!isEnvironment(environment)) return openOwned(environment);
  const path = environment.workingDirectory;
  const found = await environment.stat(".").catch((error: unknown) => {
    throw toWorkspaceError(error, path);
  });
  if (found.kind !== "directory") throw new EngineError("workspace.not_a_directory", { path });
  return { environment, isOwned: false };
}

async function openOwned(config: EnvironmentConfig): Promise<OpenedWorkspace> {
  const { openEnvironment } = await import("@switchyard/environment");
  return { environment: await openEnvironment(config), isOwned: true };
}

function isEnvironment(value: ExecutionEnvironment | EnvironmentConfig): value is ExecutionEnvironment {
  return "workingDirectory" in value;
}

/** A workspace is the first thing a person names, so it has messages of its own. */
function toWorkspaceError(error: unknown, path: string): unknown {
  if (EngineError.is(error, "environment.file_not_found"))
    return new EngineError("workspace.not_found", { path }, { cause: error });
  if (EngineError.is(error, "environment.not_a_directory")) {
    return new EngineError("workspace.not_a_directory", { path }, { cause: error });
  }
  return error;
}
