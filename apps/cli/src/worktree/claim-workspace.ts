import { join } from "node:path";
import { assertOwnFolder, RUNS_FOLDER } from "@switchyard/stores/file";
import { type GitInput, lockWorkspace, openWorktree, type Worktree } from "@switchyard/workspace";
import { isOfThisMachine } from "../environment/environment-config.ts";
import { parsePlace } from "../environment/parse-place.ts";
import { usageError } from "../program/usage-error.ts";
import { quoteWord } from "../run/quote-word.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import type { World } from "../world/world.ts";
import { endOrphanedProcessesOf } from "./end-orphaned-processes.ts";

/** Whether a run has a folder for itself. */
export interface WorkspaceOptions {
  /** Whether it works in a git worktree of its own. */
  worktree?: boolean;
  /** Whether submodules are checked out in the worktree. */
  worktreeSubmodules?: boolean;
  /** Whether others may work in its folder at the same time. */
  shareWorkspace?: boolean;
}

/** What is claimed. */
export interface WorkspaceClaim {
  /** Absolute path of the folder. */
  readonly workspace: string;
  /** The place as it was typed. */
  readonly place: string | undefined;
  /** Folder with the run folders. */
  readonly state: string;
  /** Id of the run. */
  readonly runId: string;
  /** Whether it works in a git worktree of its own. */
  readonly worktree?: boolean | undefined;
  /** Whether submodules are checked out in the worktree. */
  readonly worktreeSubmodules?: boolean | undefined;
  /** Whether others may work in its folder at the same time. */
  readonly shareWorkspace?: boolean | undefined;
  /** Changes that a worktree begins with. */
  readonly patch?: GitInput | undefined;
  /** Whether the run only looks. */
  readonly isReadOnly: boolean;
  /** Name of the command, for messages. */
  readonly command: string;
}

/** What is done in a workspace. */
type Work = (workspace: string, world: World) => Promise<number>;

/**
 * Does something in a workspace that no other run writes to meanwhile: the folder itself, which is locked, or a worktree
 * of it. The work is given the world as it is there. Resolves with the exit code; rejects with `workspace.*`, and with what
 * the work rejects with.
 */
export async function withWorkspace(world: World, claim: WorkspaceClaim, work: Work): Promise<number> {
  const { workspace, place = "local", isReadOnly, shareWorkspace, state } = claim;
  // Before a lock or a worktree is made in it.
  await assertOwnFolder({ directory: state, content: join(state, RUNS_FOLDER) });
  if (claim.worktree === true) return inWorktree(world, claim, work);
  if (isReadOnly || shareWorkspace === true || !isWrittenTo(place)) return work(workspace, world);
  await using _lock = await lockWorkspace(workspace, {
    ...claim,
    onTakeover: endOrphanedProcessesOf(world, claim.state),
  });
  return await work(workspace, world);
}

/** Whether a run in that place writes to the folder itself: others work on a copy, or elsewhere. */
function isWrittenTo(named: string): boolean {
  const place = parsePlace(named);
  if ("problem" in place) return false;
  return place.type === "local" || place.type === "sandbox" || (place.type === "docker" && "image" in place);
}

async function inWorktree(world: World, claim: WorkspaceClaim, work: Work): Promise<number> {
  const { place = "local", command } = claim;
  if (!isWrittenTo(place)) {
    const why = isOfThisMachine(place) ? "works on a copy already" : "has its folder elsewhere";
    throw usageError(`--worktree goes with --env local, sandbox or docker:IMAGE; --env ${place} ${why}.`, command);
  }
  const isInitialised = claim.worktreeSubmodules === true;
  const worktree = await openWorktree({ ...claim, isInitialised, env: world.env });
  if (worktree.leavesChanges) {
    world.stderr.write("note: what is not committed in the workspace is not in the worktree.\n");
  }
  for (const note of worktree.notes) world.stderr.write(`note: ${neutraliseControls(note)}\n`);
  let isOver = true;
  try {
    const exitCode = await work(worktree.workspace, { ...world, env: worktree.env });
    // What was stopped can be gone on with, in the same folder.
    isOver = exitCode === 0 || exitCode === 1;
    return exitCode;
  } finally {
    await leave(world, worktree, isOver);
  }
}

async function leave({ stderr }: World, worktree: Worktree, isOver: boolean): Promise<void> {
  if (isOver && (await worktree.removeUnchanged())) return;
  const folder = neutraliseControls(worktree.folder);
  stderr.write(`Worktree: ${folder} (branch ${worktree.branch})\n`);
  stderr.write(
    `Remove it with: git worktree remove --force ${quoteWord(folder)} && git branch -D ${worktree.branch}\n`,
  );
}
