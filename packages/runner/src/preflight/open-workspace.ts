import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import type { EnvironmentConfig, HostVariables } from "@switchyard/environment";
import type { SessionOptions } from "../session/session-options.ts";

/** An environment whose workspace is there. */
export interface OpenedWorkspace {
  environment: ExecutionEnvironment;
  /** Whether the session opened it and closes it. */
  isOwned: boolean;
  /** What is known of it from its configuration. */
  location: WorkspaceLocation;
}

/** What is known of a place beside its environment. */
export interface WorkspaceLocation {
  /** Folder of this machine that is the workspace, where the environment itself cannot reach the runner's files. */
  hostFolder?: string | undefined;
  /** Whether the workspace is gone when the environment is closed. */
  isTemporary: boolean;
  /** The host's variables, for programs that the runner itself starts. */
  env: HostVariables;
}

/**
 * Opens the environment of a session, or checks the one it was given. Rejects with `workspace.not_found`,
 * `workspace.not_a_directory` or `environment.*`. architecture: flow 2 and 3.
 */
export async function openWorkspace({ environment }: Pick<SessionOptions, "environment">): Promise<OpenedWorkspace> {
  if (isConfig(environment)) return openOwned(environment);
  const path = environment.workingDirectory;
  const found = await environment.stat(".").catch((error: unknown) => {
    throw toWorkspaceError(error, path);
  });
  if (found.kind !== "directory") throw new EngineError("workspace.not_a_directory", { path });
  return { environment, isOwned: false, location: { isTemporary: false, env: {} } };
}

/**
 * Prepares a place for the next attempt of a run: containers and pods of dead hosts are removed before it begins, so
 * that nothing in them takes effect any more. Resolves with their number. Rejects with `run.not_resumable` where the
 * workspace is gone, and with what reaching the place rejects with.
 */
export async function prepareNextAttempt(
  { environment }: Pick<SessionOptions, "environment">,
  runId: string,
): Promise<number> {
  if (!isConfig(environment)) return 0;
  const { environmentFacts, sweepEnvironment } = await import("@switchyard/environment");
  if (environmentFacts(environment).isTemporary) {
    throw new EngineError("run.not_resumable", { runId, problem: "its files were temporary and are gone" });
  }
  return sweepEnvironment(environment);
}

async function openOwned(config: EnvironmentConfig): Promise<OpenedWorkspace> {
  const { environmentFacts, openEnvironment } = await import("@switchyard/environment");
  const environment = await openEnvironment(config);
  const { hostFolder, isTemporary } = environmentFacts(config);
  return { environment, isOwned: true, location: { hostFolder, isTemporary, env: hostVariablesOf(config) } };
}

function hostVariablesOf(config: EnvironmentConfig): HostVariables {
  if ("hostEnv" in config) return config.hostEnv ?? {};
  // Those of a memory are what its commands see, none of this machine.
  return config.type === "local" || config.type === "sandbox" ? (config.env ?? {}) : {};
}

/** Configurations, unlike environments, have nothing that reads files. */
function isConfig(value: ExecutionEnvironment | EnvironmentConfig): value is EnvironmentConfig {
  return !("readFile" in value);
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
