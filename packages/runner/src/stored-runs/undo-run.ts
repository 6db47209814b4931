import { rm, stat, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { EngineError, fileProblem, type StoredRun } from "@switchyard/contracts";
import {
  applyFolderOf,
  type GitInput,
  lockWorkspace,
  RestoreRefusal,
  restoreChanges,
  restoreReferences,
  type UndoFile,
} from "@switchyard/workspace";
import { endOrphanedProcesses } from "../resume/orphaned-processes.ts";
import { RUN_FILES } from "../run-files/run-files.ts";
import { readExactPatch } from "./exact-patch.ts";
import { readUndoFile, readUndoneAt } from "./undo-files.ts";

/** Options for `undoRun`. */
export interface UndoRunOptions {
  /** Environment variables for git. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the state folder that stores the run. */
  readonly stateDirectory: string;
  /**
   * Absolute path of the run's workspace on this machine. `undefined` if the workspace is elsewhere; undo is then
   * refused.
   */
  readonly workspace: string | undefined;
  /** Current time, in milliseconds since 1970. */
  readonly now: number;
  /** Whether to check only, and change nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** Whether to restore branches, `HEAD` and the index too. Default: false. */
  readonly commits?: boolean | undefined;
  /** Whether to restore what is possible if the earlier content of a large file is not stored. Default: false. */
  readonly partial?: boolean | undefined;
  /**
   * Called with the workspace and the id of a run whose process died, after its lock on the workspace was taken over.
   * Default: ends the processes that the dead run left behind.
   */
  readonly onTakeover?: ((workspace: string, runId: string) => Promise<void>) | undefined;
}

/**
 * Reverts all changes of a run, or none if one cannot be reverted. Resolves with the reverted diff. Rejects with
 * `run.not_undoable`, whose message states the reason. If an option would make the undo possible, the error's detail
 * `option` names it. Rejects with `workspace.locked` while another run works in the workspace.
 */
export async function undoRun(run: StoredRun, options: UndoRunOptions): Promise<string> {
  const { runId } = run;
  const undoneAt = await readUndoneAt(run);
  if (undoneAt !== undefined) throw refused(runId, `it was already undone at ${undoneAt}`);
  const file = await readUndoFile(run).catch((cause: unknown) => {
    throw refused(runId, `its file ${RUN_FILES.undo} cannot be read: ${fileProblem(cause)}`, { cause });
  });
  const changes = changesOf(run, { ...options, file });
  assertRestorable(run, file, options);
  const { stateDirectory: state, onTakeover = (root, earlierId) => endProcessesOf(earlierId, root, options) } = options;
  await using _lock = await lockWorkspace(changes.workspace, { state, runId, onTakeover });
  await restore(run, { ...changes, file, options });
  return changes.diff;
}

/** The dead run may have been deleted from the store. Nothing is then known about its processes. */
async function endProcessesOf(runId: string, root: string, { env, stateDirectory }: UndoRunOptions): Promise<void> {
  await endOrphanedProcesses(runId, { stateDirectory, environment: { type: "local", root, env } }).catch(() => 0);
}

interface Restoring {
  readonly workspace: string;
  readonly diff: string;
  readonly file: UndoFile | undefined;
  readonly options: UndoRunOptions;
}

async function restore(run: StoredRun, { workspace, diff, file, options }: Restoring): Promise<void> {
  const { runId, record } = run;
  const { env, stateDirectory, now } = options;
  const { folder } = await applyFolderOf(env, workspace);
  const patch: GitInput = diff === "" ? "" : await readExactPatch(run);
  let revert: (() => Promise<void>) | undefined;
  const beforeSwap = async (): Promise<void> => {
    if (options.commits !== true) return;
    const index = await storedIndexOf(run);
    const references = run.report?.workspaceReferences ?? [];
    revert = await restoreReferences({ env, folder, changes: references, index });
  };
  await restoreChanges({
    ...{ env, folder, patch, runId, beforeSwap, isDryRun: options.dryRun },
    onRestored: async () => {
      revert = undefined;
      await markUndone(run, now);
    },
    record: file?.record,
    prefix: relative(folder, workspace).split(sep).join("/"),
    aside: join(stateDirectory, "runs", runId, "undo"),
    since: record === undefined ? undefined : Date.parse(record.started_at ?? record.created_at),
  }).catch(async (error: unknown) => {
    await revert?.();
    if (EngineError.is(error)) throw error;
    if (error instanceof RestoreRefusal) throw refused(runId, error.message, { cause: error });
    const path = error instanceof Error && "dest" in error ? `${error.dest}: ` : "";
    throw refused(runId, `${path}${fileProblem(error)}`, { cause: error });
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

/**
 * Throws if the exact changes of the run are not stored. Also throws if the earlier content of a file is not stored
 * because the file was too large or unreadable, unless `partial` is true.
 */
function assertRestorable({ runId, report }: StoredRun, file: UndoFile | undefined, { partial }: UndoRunOptions): void {
  if (file?.isExact === false) {
    throw refused(runId, "its exact changes are not stored, because they contain a secret or exceed 64 MiB");
  }
  const [large] = (report?.workspaceLeftOut ?? []).filter(({ reason }) => reason === "too_large");
  if (large !== undefined && partial !== true) {
    const problem = `${large.path} was too large or unreadable, so its earlier content is not stored`;
    throw refused(runId, problem, { option: "partial" });
  }
}

async function markUndone({ report }: StoredRun, now: number): Promise<void> {
  if (report?.runFolder === undefined) return;
  const path = join(report.runFolder, RUN_FILES.undone);
  await rm(path, { force: true });
  await writeFile(path, JSON.stringify({ undone_at: new Date(now).toISOString() }), { mode: 0o600 });
}

function changesOf(
  run: StoredRun,
  { commits, file, workspace }: UndoRunOptions & { file: UndoFile | undefined },
): { workspace: string; diff: string } {
  const { runId, report, lease } = run;
  if (lease?.isHeld === true) throw refused(runId, "it is still running");
  if (report?.workspacePatch !== undefined) throw refused(runId, "it worked on a copy and changed nothing here");
  const diff = report?.workspaceDiff;
  if (workspace === undefined || diff === undefined) {
    throw refused(
      runId,
      "its changes are unknown: its workspace is on another machine, was too large or unreadable, git was missing, or the run was cut off",
    );
  }
  const hasReferences = (report?.workspaceReferences ?? []).length > 0;
  if (diff !== "" || changesOnlyModes(file) || (hasReferences && commits === true)) return { workspace, diff };
  if (hasReferences) throw refused(runId, "it changed only branches or staged changes", { option: "commits" });
  throw refused(runId, "it changed nothing");
}

/** True if the run changed permissions or empty folders, which a diff does not show. */
function changesOnlyModes(file: UndoFile | undefined): boolean {
  if (file === undefined) return false;
  const { modes, folders, made } = file.record;
  return folders.length > 0 || made.length > 0 || modes.some(({ before, after }) => before !== after);
}

interface Refusal {
  readonly cause?: unknown;
  /** Option of `undoRun` that would make the undo possible. */
  readonly option?: "partial" | "commits";
}

function refused(runId: string, problem: string, { cause, option }: Refusal = {}): EngineError {
  const details = option === undefined ? {} : { option };
  return new EngineError("run.not_undoable", { runId, problem: `${problem}.`, ...details }, { cause });
}
