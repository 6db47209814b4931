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

/** Opens an environment on a folder of the machine that runs the commands. */
export type OpenFolder = (folder: string) => Promise<ExecutionEnvironment>;

/** What commands are kept from. */
export interface FolderRules {
  /** Paths relative to the folder that may be written to, and nothing else in it; everywhere by default. */
  readonly writes?: readonly string[] | undefined;
  /** Absolute paths that are only read. */
  readonly readOnly: readonly string[];
  /** Whether credentials that git could push with are hidden. */
  readonly hidesPushCredentials: boolean;
}

/** Opens an environment whose commands cannot break the rules; resolves with undefined where that cannot be had. */
export type ConfineFolder = (folder: string, rules: FolderRules) => Promise<ExecutionEnvironment | undefined>;

/** The folder a command works in. */
export interface WorkspacePlace extends AsyncDisposable {
  /** The environment on it. */
  readonly environment: ExecutionEnvironment;
  /** Whether its commands are kept from what they may not do; otherwise that can only be noticed. */
  readonly isConfined: boolean;
  /** Remotes of the repository there. */
  readonly remotes: readonly GitRemote[];
  /** The checkout that was made for the task. */
  readonly checkout?: Checkout | undefined;
}

/** What a workspace is made ready from. */
export interface WorkspaceOptions {
  /** Folder of the runtime package. */
  readonly runtimePath: string;
  /** Environment of the session, when there is one. */
  readonly environment?: ExecutionEnvironment | undefined;
  /** Opens other folders. */
  readonly openFolder: OpenFolder;
  /** Opens them such that commands keep the rules. */
  readonly confineFolder?: ConfineFolder | undefined;
  /** Where may be written. */
  readonly scope: WriteScope;
  /** Whether git may push. */
  readonly allowGitPush?: boolean | undefined;
  /** Folder that checkouts are made in. */
  readonly stateFolder?: string | undefined;
  /** Password for the address of a repository. */
  readonly credential?: Secret | undefined;
  /** Ends the preparation. */
  readonly signal?: AbortSignal | undefined;
}

const GIT_CHECK_MS = 30_000;
/** Name of the environment whose folder is this machine's, and can be opened here again. */
const LOCAL = "local";

/**
 * Makes the workspace ready that a provider declares: the folder of the package, that of the request, or a git
 * checkout, a fresh one where the request asks for that. Throws `workspace.*` and `runtime.request_invalid`.
 * agent-runtime-package: workspace materialization.
 */
export async function openWorkspacePlace(
  provider: ExecutorProvider,
  request: TaskRequest,
  options: WorkspaceOptions,
): Promise<WorkspacePlace> {
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
    const problem = "it asks for a checkout of its own, and this host has no folder for checkouts";
    throw new EngineError("runtime.request_invalid", { problem, problems: [problem] });
  }
  return openCheckout(toCheckoutSource(workspace), { stateFolder, openFolder, credential, signal });
}

/** Opens the folder again, with rules; without any there is nothing to keep. */
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

/** The folder that is worked in, or the environment of the session where it is that. */
async function findFolder(
  cwd: string | undefined,
  request: TaskRequest,
  { runtimePath, environment }: WorkspaceOptions,
): Promise<string | ExecutionEnvironment> {
  if (cwd === "runtime_package") return runtimePath;
  const root = request.workspace?.root;
  if (root === undefined) {
    // Nothing about a workspace is assumed: without one of the session there is none.
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

/** Refuses what is missing, no folder, or a symbolic link: it could lead anywhere by the time it is used. */
async function assertFolder(root: string): Promise<void> {
  const entry = await lstat(root).catch(() => undefined);
  if (entry === undefined) throw new EngineError("workspace.not_found", { path: root });
  if (!entry.isDirectory()) throw new EngineError("workspace.not_a_directory", { path: root });
}

async function assertCheckout(environment: ExecutionEnvironment, signal: AbortSignal | undefined): Promise<void> {
  const found = await runGit(environment, ["rev-parse", "--show-toplevel"], { timeoutMs: GIT_CHECK_MS, signal });
  const top = found.stdout.trim();
  if (found.exitCode === 0 && (await isSamePlace(top, environment.workingDirectory))) return;
  const problem = `the provider requires a git checkout, and ${environment.workingDirectory} is none`;
  throw new EngineError("runtime.request_invalid", { problem });
}

async function isSamePlace(left: string, right: string): Promise<boolean> {
  const real = (path: string) => realpath(path).catch(() => resolve(path));
  return (await real(left)) === (await real(right));
}
