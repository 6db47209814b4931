import { existsSync, mkdirSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type ExecutionEnvironment, type RunCluster, type RunWriter } from "@switchyard/contracts";
import type { HostVariables } from "@switchyard/environment";
import { openLocalEnvironment } from "@switchyard/environment/local";
import {
  applyFileChanges,
  CaptureLimit,
  type ChangeTracker,
  checkOutSource,
  createChangeTracker,
  type FileList,
  listFiles,
  openGit,
  parseFileList,
  renderFileList,
  takeSnapshot,
} from "@switchyard/workspace";
import { onDisk, toDiskFailure } from "../run/disk-failure.ts";
import { FOLDER_MODE, openRunWorkspace, type RunWorkspace, workspacePath } from "../run/run-workspace.ts";
import { STAGING_PREFIX } from "../runs/accept-run.ts";
import { serverSettingsOf } from "../runs/server-settings.ts";
import { findRepositoryRule } from "../scheduler/run-needs.ts";
import { type RunUpload, startPatchOf, uploadedFiles } from "./run-upload.ts";
import {
  createStoredWorkspace,
  readStoredContent,
  readStoredFiles,
  type StoredFiles,
  type StoredWorkspace,
} from "./stored-workspace.ts";
import type { WorkerRepository } from "./worker-repository.ts";

/**
 * Name of the folder in a run folder that contains a snapshot of the initial workspace. See architecture: a run on
 * disk.
 */
const SCRATCH = "scratch";
/** Names of the files in a run folder that describe the workspace on this machine. */
const NOTES = { worker: "workspace-worker", initial: "workspace-initial.json" } as const;

/** Dependencies and settings of `prepareWorkspace`. */
export interface WorkspaceParts {
  /** Connection to the cluster. */
  readonly cluster: Pick<RunCluster, "files" | "readFile" | "putFile" | "removeFiles">;
  /** State folder of the worker. */
  readonly stateDirectory: string;
  /** Name of the worker. */
  readonly worker: string;
  /** Repositories that the worker may check out. */
  readonly repositories: readonly WorkerRepository[];
  /** Environment variables of the host, used to run git. */
  readonly env: HostVariables;
  /** True if the report contains the changes of the workspace. */
  readonly isCompared: boolean;
  /**
   * Called with the error if the changes of the workspace cannot be stored on the broker, or if `claim` cannot store
   * its note.
   */
  readonly onProblem: (error: EngineError) => void;
}

/** Workspace of a run on this worker. Disposing this object does not remove the workspace. */
export interface PreparedWorkspace extends AsyncDisposable {
  /** Stores the changes of the workspace on the broker. */
  readonly stored: StoredWorkspace;
  /**
   * Stores a note that this machine has the newest workspace of the run. The next attempt on this machine then uses the
   * workspace again. Without the note, the next attempt begins with the workspace of the newest checkpoint, or with the
   * initial workspace if there is none. Called only while the lease of the run is held. Repeated calls do nothing,
   * unless an earlier call failed. Never rejects.
   */
  claim(): Promise<void>;
}

/**
 * Prepares the workspace of a run on this worker. The workspace of the newest attempt is used again if it is on this
 * machine. Otherwise the workspace contains the commit that the run names, the files that were uploaded with it, and
 * the changes that were stored with the newest checkpoint. Rejects with `workspace.source_failed`,
 * `workspace.not_stored`, `run.store_failed` and `broker.*`.
 */
export async function prepareWorkspace(writer: RunWriter, parts: WorkspaceParts): Promise<PreparedWorkspace> {
  const { runId, epoch, record, folder } = writer;
  const { cluster, stateDirectory, worker, env, onProblem } = parts;
  const path = workspacePath(stateDirectory, runId);
  // A run that has not started has no checkpoint.
  const checkpoint = record.started_at === undefined ? undefined : await writer.load();
  const name = checkpoint?.files;
  const newest = name === undefined ? undefined : await readStoredFiles(cluster, runId, name);
  const isCurrent = record.worker !== undefined && existsSync(path) && (await workerIn(folder)) === record.worker;
  const isEmpty = startsEmpty(writer);
  if (!isCurrent) {
    // If this process dies meanwhile, the next attempt must not use the incomplete workspace.
    if (record.worker !== undefined) await rm(join(folder, NOTES.worker), { force: true });
    if (isEmpty) await createEmpty(path);
    else await fill(writer, parts);
  }
  // Most runs need no environment of the worker, so it is opened when it is needed.
  let opened: Promise<ExecutionEnvironment> | undefined;
  const open = (): Promise<ExecutionEnvironment> => {
    opened ??= openLocalEnvironment({ root: path, env, spawnHelper: "never", ripgrep: false });
    return opened;
  };
  const close = async (): Promise<void> => (await opened?.catch(() => undefined))?.[Symbol.asyncDispose]();
  try {
    const initial = isEmpty ? NO_FILES : isCurrent ? await initialIn(folder) : await listInitial(path);
    if (!isCurrent && checkpoint !== undefined) await restore(writer, { ...parts, environment: await open(), newest });
    // A run that starts in an empty workspace often ends before its first checkpoint, and then needs no files here.
    const isUntouched = isEmpty && !isCurrent && checkpoint === undefined;
    if (!isUntouched) await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    if (!isCurrent && !isEmpty && initial !== undefined)
      await writeFile(join(folder, NOTES.initial), renderFileList(initial));
    const claim = createClaim(join(folder, NOTES.worker), { worker, onProblem });
    if (!isUntouched) await claim();
    const tracker = initial === undefined ? TOO_LARGE : trackerOf(open, initial);
    const stored = createStoredWorkspace({ cluster, runId, epoch, tracker, newest, onProblem });
    return { stored, claim, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates the function that records the worker which has the newest workspace of a run on this machine. */
function createClaim(path: string, { worker, onProblem }: Pick<WorkspaceParts, "worker" | "onProblem">) {
  let claimed: Promise<void> | undefined;
  let isReported = false;
  return (): Promise<void> => {
    claimed ??= writeFile(path, worker).catch((error: unknown) => {
      // The next call tries again. Until a call succeeds, changes after the newest checkpoint exist only in this
      // attempt.
      claimed = undefined;
      if (!isReported) onProblem(toDiskFailure(error, path));
      isReported = true;
    });
    return claimed;
  };
}

/**
 * Creates a tracker of the workspace's changes. It opens the environment of the workspace when the first checkpoint is
 * saved.
 */
function trackerOf(open: () => Promise<ExecutionEnvironment>, initial: FileList): ChangeTracker {
  let tracker: ChangeTracker | undefined;
  return {
    capture: async (store) => {
      tracker ??= createChangeTracker(await open(), initial);
      return tracker.capture(store);
    },
  };
}

/** Tracker of a workspace whose initial state is not known. */
const TOO_LARGE = {
  capture: () => Promise.reject(new CaptureLimit("the workspace had too many files at the beginning")),
};

/** Resolves with the name of the worker that used the workspace on this machine last. `undefined` if there is none. */
async function workerIn(folder: string): Promise<string | undefined> {
  return readFile(join(folder, NOTES.worker), "utf8").catch(() => undefined);
}

/** Resolves with the stored initial state of a workspace. `undefined` if it is not stored. */
async function initialIn(folder: string): Promise<FileList | undefined> {
  const text = await readFile(join(folder, NOTES.initial), "utf8").catch(() => undefined);
  return text === undefined ? undefined : parseFileList(text);
}

/** Lists the initial state of a workspace. `undefined` if it has too many files. */
async function listInitial(path: string): Promise<FileList | undefined> {
  return listFiles(path).catch((error: unknown) => {
    if (error instanceof CaptureLimit) return undefined;
    throw error;
  });
}

/** Initial state of an empty workspace. */
const NO_FILES: FileList = { files: new Map(), listedMs: 0 };

/** Returns whether the initial workspace of a run is an empty folder. */
function startsEmpty({ record, request }: RunWriter): boolean {
  return record.placement?.workspace?.git === undefined && serverSettingsOf(request)?.upload === undefined;
}

/** Creates an empty workspace. Replaces the workspace of an older attempt. Rejects with `run.store_failed`. */
async function createEmpty(path: string): Promise<void> {
  try {
    // Most runs need only this call, and it is cheaper synchronously than on another thread.
    mkdirSync(path, { mode: FOLDER_MODE });
  } catch {
    // The workspace of an older attempt may be large. Heartbeats continue while it is removed.
    await onDisk(path, rm(path, { recursive: true, force: true }));
    await onDisk(path, mkdir(path, { recursive: true, mode: FOLDER_MODE }));
  }
}

/** Creates the workspace in its initial state. Replaces the workspace of an older attempt. */
async function fill(writer: RunWriter, parts: WorkspaceParts): Promise<void> {
  const { runId, request } = writer;
  const { cluster, stateDirectory } = parts;
  const files = { runId, upload: serverSettingsOf(request)?.upload };
  const staging = await openRunWorkspace(`${STAGING_PREFIX}${runId}`, { stateDirectory });
  try {
    await checkOut(writer, staging, parts);
    await staging.withFiles(async (takeFile) => {
      for await (const file of uploadedFiles(files, cluster)) await takeFile(file.path, file.content);
    });
    await applyStartPatch(files, staging, parts);
    await staging.renameTo(runId);
  } finally {
    await staging.remove();
  }
}

/** Applies the changes of the run from which this run was forked. */
async function applyStartPatch(
  files: RunUpload,
  { path }: RunWorkspace,
  { cluster, env }: WorkspaceParts,
): Promise<void> {
  const { runId } = files;
  const patch = await startPatchOf(files, cluster);
  if (patch === undefined || patch.length === 0) return;
  await using git = await openGit(path, { env, isPlain: true, isRaw: true });
  const applied = await git.run(["apply", "--whitespace=nowarn"], patch);
  if (applied.ok) return;
  const problem = `the changes of the run from which it was forked cannot be applied: ${applied.problem}`;
  throw new EngineError("run.not_resumable", { runId, problem });
}

/** Checks out the commit that the run names, and stores its id with the run. Later attempts use the same commit. */
async function checkOut(
  writer: RunWriter,
  { path }: RunWorkspace,
  { repositories, env }: WorkspaceParts,
): Promise<void> {
  const { record, signal } = writer;
  const { placement, owner = "", commit } = record;
  const git = placement?.workspace?.git;
  if (git === undefined) return;
  const { url, credential } = git;
  // The leader checks the same rule, but a worker must not depend on the messages of other processes.
  const rule = findRepositoryRule(repositories, { url, credential, owner });
  if (rule === undefined) {
    throw new EngineError("workspace.source_failed", { url, problem: "no rule of the worker allows this repository." });
  }
  const found = await checkOutSource(git, { folder: path, env, credential: rule.access, commit, signal });
  if (found !== commit) await writer.update({ commit: found });
}

interface Restoring extends WorkspaceParts {
  /** Environment of the workspace, which is in its initial state. */
  readonly environment: ExecutionEnvironment;
  /** Changes that the newest checkpoint names. */
  readonly newest: StoredFiles | undefined;
}

/** Brings the workspace of a run that started on another machine into the state of the newest checkpoint. */
async function restore(
  { runId, folder }: RunWriter,
  { cluster, stateDirectory, environment, newest, isCompared }: Restoring,
): Promise<void> {
  if (newest?.problem !== undefined) throw new EngineError("workspace.not_stored", { runId, problem: newest.problem });
  // The runner compares with this snapshot when the run has ended, so it must show the initial state.
  const scratch = join(folder, SCRATCH);
  await rm(scratch, { recursive: true, force: true });
  if (isCompared) {
    await mkdir(folder, { recursive: true });
    await takeSnapshot(environment, { scratch, excluded: stateDirectory }).catch(() =>
      rm(scratch, { recursive: true, force: true }),
    );
  }
  const { changes } = newest ?? {};
  if (changes === undefined) return;
  const read = (name: string): Promise<Uint8Array | undefined> => readStoredContent(cluster, runId, name);
  await applyFileChanges(environment.workingDirectory, changes, read).catch((cause: unknown) => {
    if (EngineError.is(cause)) throw cause;
    const problem = `${cause instanceof Error ? cause.message : String(cause)}.`;
    throw new EngineError("workspace.not_stored", { runId, problem }, { cause });
  });
}
