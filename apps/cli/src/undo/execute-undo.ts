import { join } from "node:path";
import { EngineError, fileProblem, type StoredRun } from "@switchyard/contracts";
import {
  applyFolderOf,
  type FileSwap,
  finishSwap,
  type Git,
  lockWorkspace,
  openGit,
  swapFiles,
} from "@switchyard/workspace";
import { stateDirectory } from "../run/state-directory.ts";
import { exactPatchOf } from "../runs/exact-patch.ts";
import { hostWorkspaceOf } from "../runs/host-workspace.ts";
import { findRun } from "../runs/open-runs.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { readDiff, summariseDiff } from "../text/diff-summary.ts";
import { neutraliseControls, toPlainJson } from "../text/neutralise-controls.ts";
import { endLeftProcessesOf } from "../worktree/end-left-processes.ts";
import type { World } from "../world/world.ts";
import type { UndoOptions } from "./undo-command.ts";

/** Takes the changes of a run back. Resolves with the exit code; rejects with `run.not_undoable` and changes nothing then. */
export async function executeUndo(world: World, id: string, options: UndoOptions): Promise<number> {
  const run = await findRun(world, await openRunStore(world, options), { ...options, id, command: "undo" });
  const { workspace, diff } = changesOf(run);
  const patch = await exactPatchOf(run);
  const state = stateDirectory(world, options.state);
  await using _lock = await lockWorkspace(workspace, {
    ...{ state, runId: run.runId, onTakeover: endLeftProcessesOf(world, state) },
  });
  const { folder, isPlain } = await applyFolderOf(world.env, workspace);
  await using git = await openGit(folder, { env: world.env, isPlain, isRaw: true });
  const swap = {
    root: folder,
    aside: join(state, "runs", run.runId, "undo"),
    spare: join(folder, `.switchyard-undo-${run.runId}`),
    since: run.record === undefined ? undefined : Date.parse(run.record.started_at ?? run.record.created_at),
  };
  const isOver = options.dryRun !== true && (await finishSwap(swap).catch((error) => throwUnswapped(run.runId, error)));
  if (!isOver) {
    await apply(git, { runId: run.runId, patch }, "--check");
    if (options.dryRun !== true) await takeBack(world, { git, runId: run.runId, patch, swap });
  }
  print(world, { runId: run.runId, diff, options });
  return 0;
}

/** The changes of a run, as they are taken back. */
interface Changes {
  readonly runId: string;
  readonly patch: string | Uint8Array;
}

async function apply(git: Git, { runId, patch }: Changes, ...more: string[]): Promise<string> {
  const answer = await git.run(["apply", "--reverse", "--whitespace=nowarn", ...more], patch);
  if (!answer.ok) throw refused(runId, `${answer.problem.replace(/^error: /, "")}`);
  return answer.output;
}

/** Git removes files before it writes others, and what stops it in between stays so: it works on copies. */
async function takeBack(world: World, changes: Changes & { git: Git; swap: FileSwap }): Promise<void> {
  const { runId, git, swap } = changes;
  // Each way names a file as it is called afterwards.
  const names = [
    await apply(git, changes, "--numstat", "-z"),
    await apply(git, changes, "--no-reverse", "--numstat", "-z"),
  ];
  const paths = names.flatMap((output) => output.split("\0").map((line) => line.replace(/^[^\t]*\t[^\t]*\t/, "")));
  const unique = [...new Set(paths.filter((path) => path !== ""))];
  await swapFiles(swap, unique, async (copies) => {
    await using raw = await openGit(copies, { env: world.env, isPlain: true, isRaw: true });
    await apply(raw, changes);
  }).catch((error) => throwUnswapped(runId, error));
}

function throwUnswapped(runId: string, error: unknown): never {
  if (EngineError.is(error)) throw error;
  const path = error instanceof Error && "dest" in error ? `${error.dest}: ` : "";
  throw new EngineError("run.not_undoable", { runId, problem: `${path}${fileProblem(error)}.` }, { cause: error });
}

function changesOf(run: StoredRun): { workspace: string; diff: string } {
  const { runId, report, lease } = run;
  if (lease?.isHeld === true) throw refused(runId, "it is still at work");
  if (report?.workspacePatch !== undefined) throw refused(runId, "it worked on a copy, and changed nothing here");
  const [workspace, diff] = [hostWorkspaceOf(run), report?.workspaceDiff];
  if (workspace === undefined || diff === undefined) {
    throw refused(
      runId,
      "its changes are not known: its workspace is elsewhere, was too large or could not be read, there was no git, or it was cut off",
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
