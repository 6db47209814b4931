import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import { type GitRemote, localRemotes, readRemotes } from "../git/push-denial.ts";
import { runGit } from "../git/run-git.ts";
import type { ExecutorProvider } from "../manifest/runtime-manifest.ts";
import type { TaskRequest } from "../task/task-request.ts";
import { asksForCheckout, toCheckoutSource } from "./checkout-source.ts";
import { type Checkout, openCheckout } from "./open-checkout.ts";
import type { WriteScope } from "./with-write-scope.ts";

/** Function that opens an environment for a folder on the machine that runs the commands. */
export type OpenFolder = (folder: string) => Promise<ExecutionEnvironment>;

/** Restrictions that apply to commands in a folder. */
export interface FolderRules {
  /** Writable paths, relative to the folder. Default: all paths are writable. */
  readonly writes?: readonly string[] | undefined;
  /** Absolute paths that are read-only for commands. */
  readonly readOnly: readonly string[];
  /** Whether to hide credentials that allow git push. */
  readonly hidesPushCredentials: boolean;
}

/**
 * Function that opens an environment in which commands cannot violate the restrictions. Resolves with `undefined` if
 * this machine cannot enforce them.
 */
export type ConfineFolder = (folder: string, rules: FolderRules) => Promise<ExecutionEnvironment | undefined>;

/** The folder that a command works in. */
export interface PreparedWorkspace extends AsyncDisposable {
  /** Environment of the folder. */
  readonly environment: ExecutionEnvironment;
  /** Whether the restrictions are enforced. If false, violations are only detected. */
  readonly isConfined: boolean;
  /** Git remotes of the folder's repository. Empty if git push is allowed. */
  readonly remotes: readonly GitRemote[];
  /** Checkout that was created for the task. `undefined` if the task runs in an existing folder. */
  readonly checkout?: Checkout | undefined;
}

/** Options for preparing a workspace. */
export interface WorkspaceOptions {
  /** Folder of the runtime package. */
  readonly runtimePath: string;
  /** Environment of the session. `undefined` if the task does not belong to a session. */
  readonly environment?: ExecutionEnvironment | undefined;
  /** Opens other folders. */
  readonly openFolder: OpenFolder;
  /** Opens folders with restrictions. */
  readonly confineFolder?: ConfineFolder | undefined;
  /** Files that the provider may write. */
  readonly scope: WriteScope;
  /** True if git push is allowed. Default: false. */
  readonly allowGitPush?: boolean | undefined;
  /** Folder for checkouts. */
  readonly stateFolder?: string | undefined;
  /** Password for the repository's URL. */
  readonly credential?: Secret | undefined;
  /** Signal that cancels the preparation when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

const GIT_CHECK_MS = 30_000;
/**
 * Name of the local environment without restrictions. Its folder is on this machine, so a second environment with
 * restrictions can be opened for the folder.
 */
const LOCAL = "local";

/**
 * Prepares the working folder that a provider declares: the folder of the runtime package, the folder in the request,
 * or a git checkout. The checkout is new if the request asks for it. Throws `workspace.*` or `runtime.request_invalid`.
 * See agent-runtime-package: workspace materialization.
 */
export async function openPreparedWorkspace(
  provider: ExecutorProvider,
  request: TaskRequest,
  options: WorkspaceOptions,
): Promise<PreparedWorkspace> {
  const { cwd, requires_git: requiresGit = cwd === "git_checkout" } = provider.workspace_materialization ?? {};
  const opened: AsyncDisposable[] = [];
  const close = async () => {
    for (const one of opened.splice(0).reverse()) await one[Symbol.asyncDispose]();
  };
  try {
    const checkout = cwd === "runtime_package" ? undefined : await checkOut(request, options);
    if (checkout !== undefined) opened.push(checkout);
    const found = checkout?.folder ?? (await findFolder(cwd, request, options));
    const plain = typeof found === "string" ? await options.openFolder(found) : found;
    if (typeof found === "string") opened.push(plain);
    if (requiresGit) await assertCheckout(plain, options.signal);
    const remotes = options.allowGitPush === true ? [] : await readRemotes(plain, options.signal);
    const isHere = typeof found === "string" || found.name === LOCAL;
    const confined = isHere ? await confine(plain, remotes, options) : undefined;
    if (confined !== undefined) opened.push(confined);
    const environment = confined ?? plain;
    return { environment, isConfined: confined !== undefined, remotes, checkout, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function checkOut({ workspace }: TaskRequest, options: WorkspaceOptions): Promise<Checkout | undefined> {
  if (workspace === undefined || !asksForCheckout(workspace)) return undefined;
  const { stateFolder, openFolder, credential, signal } = options;
  if (stateFolder === undefined) {
    const problem = "it requests a separate checkout, and this host has no folder for checkouts";
    throw new EngineError("runtime.request_invalid", { problem, problems: [problem] });
  }
  return openCheckout(toCheckoutSource(workspace), { stateFolder, openFolder, credential, signal });
}

/**
 * Opens a second environment for the working folder, with restrictions. Resolves with `undefined` if there are no
 * restrictions to enforce, or if the host cannot enforce them.
 */
async function confine(
  { workingDirectory: root }: ExecutionEnvironment,
  remotes: readonly GitRemote[],
  { confineFolder, scope, allowGitPush }: WorkspaceOptions,
): Promise<ExecutionEnvironment | undefined> {
  const isFree = scope.scope === "workspace";
  if (confineFolder === undefined || (isFree && allowGitPush === true)) return undefined;
  return confineFolder(root, {
    ...(isFree ? {} : { writes: scope.scope === "artifacts" ? scope.paths : [] }),
    readOnly: allowGitPush === true ? [] : localRemotes(remotes, root),
    hidesPushCredentials: allowGitPush !== true,
  });
}

/** Finds the working folder. Resolves with its path, or with the session's environment if that has the same folder. */
async function findFolder(
  cwd: string | undefined,
  request: TaskRequest,
  { runtimePath, environment }: WorkspaceOptions,
): Promise<string | ExecutionEnvironment> {
  if (cwd === "runtime_package") return runtimePath;
  const root = request.workspace?.root;
  if (root === undefined) {
    // If the request contains no path, only the session's environment can be used.
    if (environment !== undefined) return environment;
    const problem = "workspace.root is required: the provider works in the folder of the request";
    throw new EngineError("runtime.request_invalid", { problem, problems: [problem] });
  }
  if (environment !== undefined && root === environment.workingDirectory) return environment;
  if (!isAbsolute(root)) {
    throw new EngineError("runtime.request_invalid", { problem: "workspace.root must be an absolute path" });
  }
  await assertFolder(root);
  return root;
}

/** Throws if a path does not exist, is not a folder, or is a symbolic link, whose target could change before use. */
async function assertFolder(root: string): Promise<void> {
  const entry = await lstat(root).catch(() => undefined);
  if (entry === undefined) throw new EngineError("workspace.not_found", { path: root });
  if (!entry.isDirectory()) throw new EngineError("workspace.not_a_directory", { path: root });
}

async function assertCheckout(environment: ExecutionEnvironment, signal: AbortSignal | undefined): Promise<void> {
  const found = await runGit(environment, ["rev-parse", "--show-toplevel"], { timeoutMs: GIT_CHECK_MS, signal });
  const top = found.stdout.trim();
  if (found.exitCode === 0 && (await isSameFolder(top, environment.workingDirectory))) return;
  const problem = `the provider requires a git checkout, and ${environment.workingDirectory} is not one`;
  throw new EngineError("runtime.request_invalid", { problem });
}

async function isSameFolder(left: string, right: string): Promise<boolean> {
  const real = (path: string) => realpath(path).catch(() => resolve(path));
  return (await real(left)) === (await real(right));
}
