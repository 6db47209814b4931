import { join } from "node:path";
import { parseEnvironmentName } from "@switchyard/environment";
import { type EnvironmentOptions, environmentNameOf, isOfThisMachine } from "@switchyard/settings";
import { assertSafeFolder, RUNS_FOLDER } from "@switchyard/stores/file";
import { neutraliseControls } from "@switchyard/terminal";
import { type GitInput, lockWorkspace, openWorktree, type Worktree } from "@switchyard/workspace";
import type { CommandContext } from "../context/command-context.ts";
import { usageError } from "../program/usage-error.ts";
import { quoteWord } from "../run/quote-word.ts";
import { endOrphanedProcessesOf } from "./end-orphaned-processes.ts";

/** Options that select how runs share a workspace. */
export interface WorkspaceOptions {
  /** Whether the run works in a new git worktree of the workspace. */
  worktree?: boolean;
  /** Whether submodules are checked out in the worktree. */
  worktreeSubmodules?: boolean;
  /** Whether other runs may work in the workspace folder at the same time. */
  shareWorkspace?: boolean;
}

/**
 * Command-line options that determine how a workspace is reserved for a run: locked, shared, or copied to a worktree.
 */
interface ClaimOptions extends WorkspaceOptions, Pick<EnvironmentOptions, "env"> {
  /** Patch that is applied to a new worktree before the run starts. */
  patch?: GitInput | undefined;
}

/** Request to reserve a workspace: the run, the folder, and the options of the command. */
export interface WorkspaceClaim {
  /** Absolute path of the workspace folder. */
  readonly workspace: string;
  /** Folder that stores the runs. */
  readonly state: string;
  /** Id of the run. */
  readonly runId: string;
  /** Whether the run is read-only. */
  readonly isReadOnly: boolean;
  /** Name of the command, for messages. */
  readonly command: string;
  /** Options of the command. */
  readonly options: ClaimOptions;
}

/** Function that works in a reserved workspace. Resolves with an exit code. */
type Work = (workspace: string, context: CommandContext) => Promise<number>;

/**
 * Reserves a workspace and calls `work` with it. Meanwhile, no other run writes to the workspace: the folder is locked,
 * or a git worktree of it is created. `work` receives the context for the reserved workspace. Resolves with the exit
 * code. Rejects with `workspace.*` and the errors of `work`.
 */
export async function withWorkspace(context: CommandContext, claim: WorkspaceClaim, work: Work): Promise<number> {
  const { workspace, isReadOnly, state, options } = claim;
  // Checks that the state folder is usable before a lock or a worktree is created in it.
  await assertSafeFolder({ directory: state, content: join(state, RUNS_FOLDER) });
  if (options.worktree === true) return inWorktree(context, claim, work);
  if (isReadOnly || options.shareWorkspace === true || !isWrittenTo(environmentNameOf(options)))
    return work(workspace, context);
  await using _lock = await lockWorkspace(workspace, {
    ...claim,
    onTakeover: endOrphanedProcessesOf(context, claim.state),
  });
  return await work(workspace, context);
}

/**
 * Returns whether a run in this environment writes directly to the workspace folder. Other environments use a copy, or
 * a folder on another machine.
 */
function isWrittenTo(named: string): boolean {
  const parsed = parseEnvironmentName(named);
  if ("problem" in parsed) return false;
  return parsed.type === "local" || parsed.type === "sandbox" || (parsed.type === "docker" && "image" in parsed);
}

async function inWorktree(context: CommandContext, claim: WorkspaceClaim, work: Work): Promise<number> {
  const { command, options } = claim;
  const { worktreeSubmodules: isInitialised = false, patch } = options;
  const env = environmentNameOf(options);
  if (!isWrittenTo(env)) {
    const why = isOfThisMachine(env) ? "already works on a copy" : "has its folder on another machine";
    throw usageError(`--worktree requires --env local, sandbox or docker:IMAGE: --env ${env} ${why}.`, command);
  }
  const { workspace, state, runId } = claim;
  const worktree = await openWorktree({ workspace, state, runId, patch, isInitialised, env: context.env });
  if (worktree.leavesChanges) {
    context.stderr.write("note: the worktree does not contain uncommitted changes of the workspace.\n");
  }
  for (const note of worktree.notes) context.stderr.write(`note: ${neutraliseControls(note)}\n`);
  let isOver = true;
  try {
    const exitCode = await work(worktree.workspace, { ...context, env: worktree.env });
    // An interrupted run can be resumed in the same worktree, so the worktree is retained.
    isOver = exitCode === 0 || exitCode === 1;
    return exitCode;
  } finally {
    await leave(context, worktree, isOver);
  }
}

async function leave({ stderr }: CommandContext, worktree: Worktree, isOver: boolean): Promise<void> {
  if (isOver && (await worktree.removeUnchanged())) return;
  const folder = neutraliseControls(worktree.folder);
  stderr.write(`Worktree: ${folder} (branch ${worktree.branch})\n`);
  stderr.write(
    `Remove it with: git worktree remove --force ${quoteWord(folder)} && git branch -D ${worktree.branch}\n`,
  );
}
