import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import type { EnvironmentConfig, HostVariables } from "@switchyard/environment";
import type { SessionOptions } from "../session/session-options.ts";
import { hostVariablesOf } from "./host-variables.ts";
import { type NetworkRequests, openConfiguredEnvironment } from "./open-configured-environment.ts";

/** Environment whose workspace exists. */
export interface OpenedWorkspace {
  environment: ExecutionEnvironment;
  /** Whether the session opened the environment and must close it. */
  isOwned: boolean;
  /** Network requests of the environment. `undefined` unless a proxy decides on them. */
  requests?: NetworkRequests | undefined;
  /** Workspace properties that are known only from the environment's configuration. */
  location: WorkspaceLocation;
}

/** Properties of a workspace that the environment object itself does not report. */
export interface WorkspaceLocation {
  /** Local folder that is the workspace. `undefined` if the files of the workspace are not on this machine. */
  hostFolder?: string | undefined;
  /** Whether the workspace is deleted when the environment is closed. */
  isTemporary: boolean;
  /** Environment variables of the program that starts the run, for processes that the runner itself starts. */
  env: HostVariables;
}

/**
 * Opens the environment of a session, or checks the given one. Rejects with `workspace.not_found`,
 * `workspace.not_a_directory` or `environment.*`.
 */
export async function openWorkspace({
  environment,
  networkRequests: requests,
}: Pick<SessionOptions, "environment" | "networkRequests">): Promise<OpenedWorkspace> {
  if (isConfig(environment)) return openOwned(environment);
  const path = environment.workingDirectory;
  const found = await environment.stat(".").catch((error: unknown) => {
    throw toWorkspaceError(error, path);
  });
  if (found.kind !== "directory") throw new EngineError("workspace.not_a_directory", { path });
  return { environment, isOwned: false, requests, location: { isTemporary: false, env: {} } };
}

/**
 * Removes containers and pods that earlier attempts left when their host process died, so that processes in them have
 * no further effects. Resolves with the number of removed containers and pods. Rejects with `run.not_resumable` if the
 * workspace no longer exists, and with connection errors.
 */
export async function prepareNextAttempt(
  { environment }: Pick<SessionOptions, "environment">,
  runId: string,
): Promise<number> {
  if (!isConfig(environment)) return 0;
  const { environmentFacts, sweepEnvironment } = await importEnvironment();
  if (environmentFacts(environment).isTemporary) {
    throw new EngineError("run.not_resumable", { runId, problem: "its files were temporary and are gone" });
  }
  return sweepEnvironment(environment);
}

type EnvironmentModule = typeof import("@switchyard/environment");
let environmentModule: EnvironmentModule | undefined;

/**
 * Imports the package when it is first needed. The module is remembered, because an import expression takes time even if
 * the module is loaded.
 */
async function importEnvironment(): Promise<EnvironmentModule> {
  environmentModule ??= await import("@switchyard/environment");
  return environmentModule;
}

async function openOwned(config: EnvironmentConfig): Promise<OpenedWorkspace> {
  const { environmentFacts, openEnvironment } = await importEnvironment();
  const { environment, requests } = await openConfiguredEnvironment(config, openEnvironment);
  const { hostFolder, isTemporary } = environmentFacts(config);
  return { environment, isOwned: true, requests, location: { hostFolder, isTemporary, env: hostVariablesOf(config) } };
}

/** Distinguishes a configuration from an opened environment: only an environment has the method `readFile`. */
function isConfig(value: ExecutionEnvironment | EnvironmentConfig): value is EnvironmentConfig {
  return !("readFile" in value);
}

/**
 * Converts errors about the workspace folder to specific messages, because the folder is the first value that users
 * enter.
 */
function toWorkspaceError(error: unknown, path: string): unknown {
  if (EngineError.is(error, "environment.file_not_found"))
    return new EngineError("workspace.not_found", { path }, { cause: error });
  if (EngineError.is(error, "environment.not_a_directory")) {
    return new EngineError("workspace.not_a_directory", { path }, { cause: error });
  }
  return error;
}
