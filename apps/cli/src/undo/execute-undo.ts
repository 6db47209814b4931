import { EngineError, type StoredRun } from "@switchyard/contracts";
import { stateDirectory } from "../run/state-directory.ts";
import { exactPatchOf } from "../runs/exact-patch.ts";
import { hostWorkspaceOf } from "../runs/host-workspace.ts";
import { findRun } from "../runs/open-runs.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { readDiff, summariseDiff } from "../text/diff-summary.ts";
import { neutraliseControls, toPlainJson } from "../text/neutralise-controls.ts";
import { applyFolderOf } from "../worktree/apply-folder.ts";
import { lockWorkspace } from "../worktree/lock-workspace.ts";
import { openGit } from "../worktree/run-git.ts";
import type { World } from "../world/world.ts";
import type { UndoOptions } from "./undo-command.ts";

/** Takes the changes of a run back. Resolves with the exit code; rejects with `run.not_undoable` and changes nothing then. */
export async function executeUndo(world: World, id: string, options: UndoOptions): Promise<number> {
  const run = await findRun(world, await openRunStore(world, options), { ...options, id, command: "undo" });
  const { workspace, diff } = changesOf(run);
  const patch = await exactPatchOf(run);
  const state = stateDirectory(world, options.state);
  await using _lock = await lockWorkspace(workspace, { state, runId: run.runId });
  const { folder, isPlain } = await applyFolderOf(world, workspace);
  await using git = await openGit(world, folder, { isPlain, isRaw: true });
  const apply = async (...more: string[]): Promise<void> => {
    const argv = ["apply", "--reverse", "--whitespace=nowarn", ...more];
    const answer = await git.run(argv, patch);
    if (!answer.ok) throw refused(run.runId, `${answer.problem.replace(/^error: /, "")}`);
  };
  await apply("--check");
  if (options.dryRun !== true) await apply();
  print(world, { runId: run.runId, diff, options });
  return 0;
}

function changesOf(run: StoredRun): { workspace: string; diff: string } {
  const { runId, report, lease } = run;
  if (lease?.isHeld === true) throw refused(runId, "it is still at work");
  if (report?.workspacePatch !== undefined) throw refused(runId, "it worked on a copy, and changed nothing here");
  const [workspace, diff] = [hostWorkspaceOf(run), report?.workspaceDiff];
  if (workspace === undefined || diff === undefined) {
    throw refused(
      runId,
      "its changes are not known: its workspace is elsewhere or was too large, there was no git, or it was cut off",
    );
  }
  if (diff === "") throw refused(runId, "it changed nothing");
  return { workspace, diff };
}

function refused(runId: string, problem: string): EngineError {
  return new EngineError("run.not_undoable", { runId, problem: `${problem}.` });
}

function print(
  { stdout }: World,
  { runId, diff, options }: { runId: string; diff: string; options: UndoOptions },
): void {
  const isDone = options.dryRun !== true;
  if (options.json === true) {
    const files = readDiff(diff).map(({ path }) => path);
    stdout.write(`${toPlainJson({ run_id: runId, undone: isDone, files })}\n`);
    return;
  }
  const lines = summariseDiff(diff).map((line) => `  ${neutraliseControls(line)}`);
  stdout.write(`${[isDone ? "Taken back:" : "Would be taken back:", ...lines].join("\n")}\n`);
}
