import { mkdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { EngineError, findRepositoryArgv, parseFoundRepository } from "@switchyard/contracts";
import type { HostVariables } from "@switchyard/environment";
import { readUncommitted } from "../snapshot/uncommitted-changes.ts";
import { initialiseWorktree } from "./initialise-worktree.ts";
import { type Git, type GitInput, openGit } from "./run-git.ts";
import type { RunLocation } from "./run-location.ts";

/** A git worktree for one run. */
export interface Worktree {
  /** Working folder of the run: the path in the worktree that corresponds to the workspace. */
  readonly workspace: string;
  /** Top folder of the worktree. */
  readonly folder: string;
  /** Branch that is checked out in the worktree. */
  readonly branch: string;
  /**
   * Environment variables for commands in the worktree. Variables that would make git use another repository, such as
   * those that git sets for hooks, are removed.
   */
  readonly env: HostVariables;
  /** True if the workspace has uncommitted changes. They are in the worktree only if `scratch` was given. */
  readonly leavesChanges: boolean;
  /**
   * Other differences between worktree and workspace, one sentence each, for example about submodules or filtered
   * files.
   */
  readonly notes: readonly string[];
  /**
   * Reverts changes in the worktree by applying a diff in reverse. If a part of the diff does not apply, nothing is
   * reverted.
   */
  revertChanges(changes: GitInput): Promise<void>;
  /** Removes the worktree and its branch if the worktree is unchanged. Resolves with true if it was removed. */
  removeUnchanged(): Promise<boolean>;
  /** Removes the worktree and its branch, including uncommitted changes. */
  remove(): Promise<void>;
}

/** Environment variables that make git use another repository than the one of the working folder. */
const REPOSITORY: ReadonlySet<string> = new Set([
  ...["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX"],
  ...["GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"],
]);

function withoutRepository(env: HostVariables): HostVariables {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !REPOSITORY.has(name)));
}

/**
 * Returns the environment variables for commands of a resumed run. If the run has a worktree, these are the worktree's.
 */
export async function variablesOfFolder(
  env: HostVariables,
  folder: string,
  { state, runId }: RunLocation,
): Promise<HostVariables> {
  const worktrees = await realPathOf(join(state, "worktrees"));
  if (worktrees === undefined) return env;
  return isAtOrBelow(join(worktrees, runId), folder) ? withoutRepository(env) : env;
}

function isAtOrBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}

/** Options for creating a worktree. */
export interface WorktreeChoice extends RunLocation {
  /** Environment variables of the host, used to find git. */
  readonly env: HostVariables;
  /** Absolute path of the workspace for which the worktree is created. */
  readonly workspace: string;
  /** True to check out submodules. Default: false. */
  readonly worktreeSubmodules?: boolean | undefined;
  /** Changes to make in the new worktree, as a unified diff. */
  readonly patch?: GitInput | undefined;
  /**
   * Private folder for temporary files of git. If it is set, the new worktree also contains the workspace's uncommitted
   * changes.
   */
  readonly scratch?: string | undefined;
}

/**
 * Arguments of `git status` that report any change, regardless of settings. Nested repositories are not queried,
 * because git would execute their configuration.
 */
const STATUS = ["status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=dirty"] as const;

/**
 * Creates a worktree of the last commit, below the state folder and on a new branch. Rejects with
 * `workspace.no_worktree` and `workspace.not_found`.
 */
export async function openWorktree(choice: WorktreeChoice): Promise<Worktree> {
  const { env, workspace, state, runId, patch = "", scratch } = choice;
  await using git = await openGit(workspace, { env });
  await assertOwnWorktree(git, workspace);
  const ask = async (...argv: string[]): Promise<string> => {
    const answer = await git.run(argv);
    if (answer.ok) return answer.output;
    throw new EngineError("workspace.no_worktree", {
      path: workspace,
      problem: answer.problem.replace(/^fatal: /, ""),
    });
  };
  const prefix = await ask("rev-parse", "--show-prefix");
  const head = await lastCommit(git, workspace);
  await assertCommitted(git, { workspace, prefix, head });
  const leavesChanges = (await ask(...STATUS)) !== "";
  const isCopied = leavesChanges && scratch !== undefined;
  const uncommitted = isCopied ? await uncommittedIn(env, { workspace, commit: head, scratch }) : "";
  const folders = join(state, "worktrees");
  await mkdir(folders, { recursive: true, mode: 0o700 });
  const folder = join(await realpath(folders), runId);
  const branch = `switchyard/${runId}`;
  await ask("worktree", "add", "--quiet", "--no-checkout", "-b", branch, folder, head);
  const location = { env, folder, workspace, branch };
  await checkOut(location);
  const notes = await initialiseWorktree({ ...location, worktreeSubmodules: choice.worktreeSubmodules === true });
  await applyPatch({ ...location, patch: uncommitted });
  await applyPatch({ ...location, patch });
  return {
    ...{ folder, branch, leavesChanges, notes, workspace: join(folder, prefix) },
    env: withoutRepository(env),
    revertChanges: (changes) => revertChanges(location, changes),
    remove: () => remove(location),
    removeUnchanged: () => removeUnchanged({ ...location, head }),
  };
}

async function lastCommit(git: Git, workspace: string): Promise<string> {
  const answer = await git.run(["rev-parse", "--verify", "HEAD^{commit}"]);
  if (answer.ok) return answer.output;
  throw new EngineError("workspace.no_worktree", {
    path: workspace,
    problem: "its current branch has no commit yet; commit first, or run without --worktree",
  });
}

/** Throws if the workspace folder is not in the last commit, because the worktree would not contain it. */
async function assertCommitted(
  git: Git,
  { workspace, prefix, head }: { workspace: string; prefix: string; head: string },
): Promise<void> {
  const path = prefix.replace(/\/$/, "");
  if (path === "") return;
  const kind = await git.run(["cat-file", "-t", `${head}:${path}`]);
  if (kind.ok && kind.output === "tree") return;
  throw new EngineError("workspace.no_worktree", {
    path: workspace,
    problem: "the folder is not in the last commit; commit a file in it, or run without --worktree",
  });
}

/** Returns the real path of a folder, so that paths can be compared. `undefined` if the folder does not exist. */
async function realPathOf(path: string): Promise<string | undefined> {
  return await realpath(path).catch(() => undefined);
}

/**
 * Rejects if the repository does not belong to the workspace. Otherwise an untrusted folder could refer to any
 * repository of the user, whose files would then be checked out for the agent.
 */
async function assertOwnWorktree(git: Git, workspace: string): Promise<void> {
  const found = await git.run(findRepositoryArgv(workspace));
  // If git's output cannot be parsed, the repository counts as one that does not belong to the workspace. If there is
  // no repository, the next git command fails.
  if (!found.ok || parseFoundRepository(found.output)?.isForeign === false) return;
  throw new EngineError("workspace.no_worktree", {
    path: workspace,
    problem: "the repository that it names does not list it as one of its working trees",
  });
}

interface WorktreeLocation {
  readonly env: HostVariables;
  readonly folder: string;
  readonly workspace: string;
  readonly branch: string;
}

/**
 * Checks out the files with git running inside the worktree, because conditional settings apply there. If this fails,
 * the worktree is removed.
 */
async function checkOut(location: WorktreeLocation): Promise<void> {
  await using inside = await openGit(location.folder, location);
  const checkedOut = await inside.run(["reset", "--hard", "--quiet", "--no-recurse-submodules"]);
  if (checkedOut.ok) return;
  await remove(location);
  const problem = checkedOut.problem.replace(/^(?:fatal|error): /, "");
  throw new EngineError("workspace.no_worktree", { path: location.workspace, problem });
}

/** Applies a patch to the new worktree. If this fails, the worktree is removed. */
async function applyPatch({ patch, ...location }: WorktreeLocation & { patch: GitInput }): Promise<void> {
  const { env, folder, workspace } = location;
  if (patch.length === 0) return;
  const applied = await (async () => {
    await using inside = await openGit(folder, { env, isRaw: true });
    return await inside.run(["apply", "--whitespace=nowarn"], patch);
  })();
  if (applied.ok) return;
  await remove(location);
  const problem = `the changes to start with cannot be applied to the last commit: ${applied.problem.replace(/^error: /, "")}`;
  throw new EngineError("workspace.no_worktree", { path: workspace, problem });
}

async function revertChanges({ env, folder }: WorktreeLocation, changes: GitInput): Promise<void> {
  if (changes.length === 0) return;
  await using inside = await openGit(folder, { env, isRaw: true });
  // `git apply` makes either all changes of the patch or none.
  await inside.run(["apply", "--reverse", "--whitespace=nowarn"], changes);
}

async function uncommittedIn(
  env: HostVariables,
  { workspace, commit, scratch }: { workspace: string; commit: string; scratch: string },
): Promise<Uint8Array> {
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  await using environment = await openLocalEnvironment({ root: workspace, env });
  return await readUncommitted(environment, { commit, scratch }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const problem = `its uncommitted changes cannot be read: ${reason}`;
    throw new EngineError("workspace.no_worktree", { path: workspace, problem }, { cause });
  });
}

async function remove({ env, workspace, folder, branch }: WorktreeLocation): Promise<void> {
  await using git = await openGit(workspace, { env });
  await git.run(["worktree", "remove", "--force", folder]);
  await git.run(["branch", "-D", "--quiet", branch]);
}

async function removeUnchanged({
  env,
  workspace,
  folder,
  branch,
  head,
}: WorktreeLocation & { head: string }): Promise<boolean> {
  {
    await using inside = await openGit(folder, { env });
    const now = await inside.run(["rev-parse", "--verify", "HEAD^{commit}"]);
    // A worktree with git-ignored files is not removed either, because they may be results of the run.
    const changes = await inside.run([...STATUS, "--ignored"]);
    if (!now.ok || now.output !== head || !changes.ok || changes.output !== "") return false;
  }
  // `git worktree remove` itself checks again that the worktree has no changes.
  await using git = await openGit(workspace, { env, beside: folder });
  const removed = await git.run(["worktree", "remove", folder]);
  if (removed.ok) await git.run(["branch", "-D", "--quiet", branch]);
  return removed.ok;
}
