import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import type { ExecutorProvider } from "../manifest/runtime-manifest.ts";
import type { TaskRequest } from "../task/task-request.ts";

/** Opens an environment on a folder of the machine that runs the commands. */
export type OpenFolder = (folder: string) => Promise<ExecutionEnvironment>;

/** The folder a command works in. */
export interface WorkspacePlace extends AsyncDisposable {
  /** The environment on it. */
  readonly environment: ExecutionEnvironment;
}

/** What a workspace is made ready from. */
export interface WorkspaceOptions {
  /** Folder of the runtime package. */
  readonly runtimePath: string;
  /** Environment of the session, when there is one. */
  readonly environment?: ExecutionEnvironment | undefined;
  /** Opens other folders. */
  readonly openFolder: OpenFolder;
  /** Ends the preparation. */
  readonly signal?: AbortSignal | undefined;
}

const GIT_CHECK_MS = 30_000;

/**
 * Makes the workspace ready that a provider declares: the folder of the package, that of the request, or a git
 * checkout. Throws `workspace.not_found`, `workspace.not_a_directory` and `runtime.request_invalid`.
 * agent-runtime-package: workspace materialization.
 */
export async function openWorkspacePlace(
  provider: ExecutorProvider,
  request: TaskRequest,
  options: WorkspaceOptions,
): Promise<WorkspacePlace> {
  const { cwd, requires_git: requiresGit = cwd === "git_checkout" } = provider.workspace_materialization ?? {};
  const place = await openPlace(cwd, request, options);
  try {
    if (requiresGit) await assertCheckout(place.environment, options.signal);
    return place;
  } catch (error) {
    await place[Symbol.asyncDispose]();
    throw error;
  }
}

async function openPlace(
  cwd: string | undefined,
  request: TaskRequest,
  { runtimePath, environment, openFolder }: WorkspaceOptions,
): Promise<WorkspacePlace> {
  if (cwd === "runtime_package") return owned(await openFolder(runtimePath));
  const root = request.workspace?.root;
  if (root === undefined) {
    // Nothing about a workspace is assumed: without one of the session there is none.
    if (environment !== undefined) return borrowed(environment);
    const problem = "workspace.root is required: the provider works in the folder of the request";
    throw new EngineError("runtime.request_invalid", { problem, problems: [problem] });
  }
  if (environment !== undefined && root === environment.workingDirectory) return borrowed(environment);
  if (!isAbsolute(root)) {
    throw new EngineError("runtime.request_invalid", { problem: "workspace.root must be an absolute path" });
  }
  await assertFolder(root);
  return owned(await openFolder(root));
}

/** Refuses what is missing, no folder, or a symbolic link: it could lead anywhere by the time it is used. */
async function assertFolder(root: string): Promise<void> {
  const entry = await lstat(root).catch(() => undefined);
  if (entry === undefined) throw new EngineError("workspace.not_found", { path: root });
  if (!entry.isDirectory()) throw new EngineError("workspace.not_a_directory", { path: root });
}

async function assertCheckout(environment: ExecutionEnvironment, signal: AbortSignal | undefined): Promise<void> {
  const git = ["git", "-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit", "rev-parse"];
  const found = await environment.exec([...git, "--show-toplevel"], {
    ...{ timeoutMs: GIT_CHECK_MS, env: { policy: "core", set: GIT_ALONE } },
    ...(signal === undefined ? {} : { signal }),
  });
  const top = found.stdout.trim();
  if (found.exitCode === 0 && (await isSamePlace(top, environment.workingDirectory))) return;
  const problem = `the provider requires a git checkout, and ${environment.workingDirectory} is none`;
  throw new EngineError("runtime.request_invalid", { problem });
}

const GIT_ALONE = { GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" };

async function isSamePlace(left: string, right: string): Promise<boolean> {
  const real = (path: string) => realpath(path).catch(() => resolve(path));
  return (await real(left)) === (await real(right));
}

function owned(environment: ExecutionEnvironment): WorkspacePlace {
  return { environment, [Symbol.asyncDispose]: () => environment[Symbol.asyncDispose]() };
}

function borrowed(environment: ExecutionEnvironment): WorkspacePlace {
  return { environment, [Symbol.asyncDispose]: () => Promise.resolve() };
}
