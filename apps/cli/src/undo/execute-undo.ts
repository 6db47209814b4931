import { rm, stat, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { EngineError, fileProblem, type StoredRun } from "@switchyard/contracts";
import { exactPatchOf, RUN_FILES } from "@switchyard/runner";
import {
  describeLeftOut,
  describeReferences,
  neutraliseControls,
  readDiff,
  summariseDiff,
  toPlainJson,
} from "@switchyard/terminal";
import {
  applyFolderOf,
  type GitInput,
  lockWorkspace,
  RestoreRefusal,
  restoreChanges,
  restoreReferences,
  type UndoFile,
} from "@switchyard/workspace";
import type { CommandContext } from "../context/command-context.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { hostWorkspaceOf } from "../runs/host-workspace.ts";
import { findRun } from "../runs/open-runs.ts";
import { readUndoFile, readUndoneAt } from "../runs/undo-files.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { endOrphanedProcessesOf } from "../worktree/end-orphaned-processes.ts";
import type { UndoOptions } from "./undo-options.ts";

/** Reverts the changes of a run. Resolves with the exit code; rejects with `run.not_undoable` and changes nothing then. */
export async function executeUndo(context: CommandContext, id: string, options: UndoOptions): Promise<number> {
  const run = await findRun(context, await openRunStore(context, options), { ...options, id, command: "undo" });
  const { runId } = run;
  const undoneAt = await readUndoneAt(run);
  if (undoneAt !== undefined) throw refused(runId, `it is already undone, since ${undoneAt}`);
  const file = await readUndoFile(run).catch((cause: unknown) => {
    throw refused(runId, `its file ${RUN_FILES.undo} cannot be read: ${fileProblem(cause)}`, cause);
  });
  const changes = changesOf(run, { ...options, file });
  assertRestorable(run, file, options);
  const state = stateDirectory(context, options.state);
  await using _lock = await lockWorkspace(changes.workspace, {
    ...{ state, runId, onTakeover: endOrphanedProcessesOf(context, state) },
  });
  await restore(context, run, { ...changes, file, state, options });
  print(context, { run, diff: changes.diff, options });
  return 0;
}

interface Restoring {
  readonly workspace: string;
  readonly diff: string;
  readonly file: UndoFile | undefined;
  readonly state: string;
  readonly options: UndoOptions;
}

async function restore(context: CommandContext, run: StoredRun, { workspace, diff, file, state, options }: Restoring) {
  const { runId, record } = run;
  const { folder } = await applyFolderOf(context.env, workspace);
  const patch: GitInput = diff === "" ? "" : await exactPatchOf(run);
  let revert: (() => Promise<void>) | undefined;
  const beforeSwap = async (): Promise<void> => {
    if (options.commits !== true) return;
    const index = await storedIndexOf(run);
    const references = run.report?.workspaceReferences ?? [];
    revert = await restoreReferences({ env: context.env, folder, changes: references, index });
  };
  await restoreChanges({
    ...{ env: context.env, folder, patch, runId, beforeSwap, isDryRun: options.dryRun },
    onRestored: async () => {
      revert = undefined;
      await markUndone(context, run);
    },
    record: file?.record,
    prefix: relative(folder, workspace).split(sep).join("/"),
    aside: join(state, "runs", runId, "undo"),
    since: record === undefined ? undefined : Date.parse(record.started_at ?? record.created_at),
  }).catch(async (error: unknown) => {
    await revert?.();
    if (EngineError.is(error)) throw error;
    if (error instanceof RestoreRefusal) throw refused(runId, error.message, error);
    const path = error instanceof Error && "dest" in error ? `${error.dest}: ` : "";
    throw refused(runId, `${path}${fileProblem(error)}`, error);
  });
}

async function storedIndexOf({ report }: StoredRun): Promise<string | undefined> {
  if (report?.runFolder === undefined) return undefined;
  const path = join(report.runFolder, RUN_FILES.index);
  return stat(path).then(
    () => path,
    () => undefined,
  );
}

/** Refuses as a whole what could be restored in part only. */
function assertRestorable({ runId, report }: StoredRun, file: UndoFile | undefined, { partial }: UndoOptions): void {
  if (file?.isExact === false) {
    throw refused(runId, "its exact changes are not stored, because they hold a secret or are larger than 64 MiB");
  }
  const [large] = (report?.workspaceLeftOut ?? []).filter(({ reason }) => reason === "too_large");
  if (large !== undefined && partial !== true) {
    throw refused(
      runId,
      `${large.path} was too large or not readable, so its earlier content is not stored; --partial restores the others`,
    );
  }
}

async function markUndone(context: CommandContext, { report }: StoredRun): Promise<void> {
  if (report?.runFolder === undefined) return;
  const path = join(report.runFolder, RUN_FILES.undone);
  await rm(path, { force: true });
  await writeFile(path, JSON.stringify({ undone_at: new Date(context.now()).toISOString() }), { mode: 0o600 });
}

function changesOf(
  run: StoredRun,
  { commits, file }: UndoOptions & { file: UndoFile | undefined },
): { workspace: string; diff: string } {
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
  const hasReferences = (report?.workspaceReferences ?? []).length > 0;
  if (diff !== "" || changesOnlyModes(file) || (hasReferences && commits === true)) return { workspace, diff };
  if (hasReferences)
    throw refused(runId, "it changed no files, only branches or staged changes; --commits restores these");
  throw refused(runId, "it changed nothing");
}

/** Permissions and empty folders, which a diff does not show. */
function changesOnlyModes(file: UndoFile | undefined): boolean {
  if (file === undefined) return false;
  const { modes, folders, made } = file.record;
  return folders.length > 0 || made.length > 0 || modes.some(({ before, after }) => before !== after);
}

function refused(runId: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("run.not_undoable", { runId, problem: `${problem}.` }, { cause });
}

interface Undone {
  readonly run: StoredRun;
  readonly diff: string;
  readonly options: UndoOptions;
}

function print({ stdout }: CommandContext, { run: { runId, report }, diff, options }: Undone): void {
  const isDone = options.dryRun !== true;
  const { workspaceLeftOut: leftOut = [], workspaceReferences: references = [] } = report ?? {};
  if (options.json === true) {
    const files = readDiff(diff).map(({ path }) => path);
    const more = {
      ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
      ...(references.length === 0 ? {} : { references, references_undone: isDone && options.commits === true }),
    };
    stdout.write(`${toPlainJson({ run_id: runId, undone: isDone, files, ...more })}\n`);
    return;
  }
  const lines = [isDone ? "Reverted:" : "Would be reverted:", ...indented(summariseDiff(diff).map(neutraliseControls))];
  const [git, left] = [
    describeReferences({ workspaceReferences: references }),
    describeLeftOut({ workspaceLeftOut: leftOut }),
  ];
  const isRestored = options.commits === true;
  if (git.length > 0)
    lines.push(isRestored ? "Restored in git:" : "Not restored in git; --commits restores it:", ...indented(git));
  if (left.length > 0) lines.push("Not restored:", ...indented(left));
  stdout.write(`${lines.join("\n")}\n`);
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
