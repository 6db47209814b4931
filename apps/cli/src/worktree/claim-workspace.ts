import { claimWorkspace, writesToFolder } from "@switchyard/runner";
import { type EnvironmentOptions, environmentNameOf, isOfThisMachine } from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import type { GitInput, Worktree } from "@switchyard/workspace";
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
  /** Options of the command. `patch` is applied to a new worktree before the run starts. */
  readonly options: WorkspaceOptions & Pick<EnvironmentOptions, "env"> & { patch?: GitInput | undefined };
}

/** Function that works in a reserved workspace. Resolves with an exit code. */
type Work = (workspace: string, context: CommandContext) => Promise<number>;

/**
 * Reserves a workspace, and calls `work` with the workspace and with a context for it. Resolves with the exit code.
 * Rejects with `workspace.*` and the errors of `work`.
 */
export async function withWorkspace(context: CommandContext, claim: WorkspaceClaim, work: Work): Promise<number> {
  const { workspace, command, state, options } = claim;
  const { shareWorkspace, worktreeSubmodules, patch } = options;
  const environment = environmentNameOf(options);
  if (options.worktree === true && !writesToFolder(environment)) {
    const why = isOfThisMachine(environment) ? "already works on a copy" : "has its folder on another machine";
    const problem = `--worktree requires --env local, sandbox or docker:IMAGE: --env ${environment} ${why}.`;
    throw usageError(problem, command);
  }
  await using claimed = await claimWorkspace(workspace, {
    ...{ ...claim, environment, env: context.env, shareWorkspace },
    worktree: options.worktree === true ? { patch, worktreeSubmodules } : undefined,
    onTakeover: endOrphanedProcessesOf(context, state),
  });
  const { worktree } = claimed;
  return await (worktree === undefined ? work(workspace, context) : inWorktree(context, worktree, work));
}

async function inWorktree(context: CommandContext, worktree: Worktree, work: Work): Promise<number> {
  const { stderr } = context;
  if (worktree.leavesChanges) {
    stderr.write("note: the worktree does not contain uncommitted changes of the workspace.\n");
  }
  for (const note of worktree.notes) stderr.write(`note: ${neutraliseControls(note)}\n`);
  let isOver = true;
  try {
    const exitCode = await work(worktree.workspace, { ...context, env: worktree.env });
    // An interrupted run can be resumed in the same worktree, so the worktree is retained.
    isOver = exitCode === 0 || exitCode === 1;
    return exitCode;
  } finally {
    if (!isOver || !(await worktree.removeUnchanged())) {
      const folder = neutraliseControls(worktree.folder);
      stderr.write(`Worktree: ${folder} (branch ${worktree.branch})\n`);
      stderr.write(
        `Remove it with: git worktree remove --force ${quoteWord(folder)} && git branch -D ${worktree.branch}\n`,
      );
    }
  }
}
