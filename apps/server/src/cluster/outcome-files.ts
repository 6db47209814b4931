import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClusterFolder, RunCluster, RunRecord, RunWriter, SessionReport } from "@switchyard/contracts";
import { readPatch } from "@switchyard/runner";

/** Name of the artifacts folder in a run folder. See architecture: a run on disk. */
const ARTIFACTS = "artifacts";
/**
 * Names of the files on the broker that describe the changes of a run. `exact`: the exact patch, if it differs from the
 * diff in the report. `none`: an empty file, stored if the exact patch is not available. If neither `exact` nor `none`
 * is stored, the diff is the exact patch. `undo`: further data that an undo needs, such as permissions.
 */
const PATCH = { exact: "patch/exact", none: "patch/none", undo: "patch/undo" } as const;
/** Names that the files `exact` and `undo` have in a run folder. See architecture: a run on disk. */
const LOCAL_NAMES = { [PATCH.exact]: "changes.exact.patch", [PATCH.undo]: "undo.json" } as const;

/**
 * Epoch (number of the lease) of the first attempt to execute a run. The epoch before it belongs to the acceptance of
 * the run.
 */
const FIRST_EPOCH = 2;
/** Besides the files of the previous report, files of at most this many earlier epochs (leases of the run) are removed. */
const MAX_SEARCHED = 8;

function folderOf(epoch: number): ClusterFolder {
  return `outcome.${epoch}`;
}

/** Files on the broker that belong to a run's report. They are stored before the report. */
interface StoredOutcome {
  /** Value of the record's field `files_epoch`. `undefined` if no file was stored. */
  readonly epoch: number | undefined;
  /** Removes the files. Called if the report could not be stored, because the run has another writer. Never rejects. */
  discard(): Promise<void>;
  /**
   * Removes the files that earlier writers stored: files of the report that the new report replaces, and files of
   * workers that crashed. Called when the new report is stored. Never rejects.
   */
  removeEarlier(): Promise<void>;
}

/**
 * Stores the artifacts and the patch of a report on the broker. The name of their folder contains the writer's epoch
 * (number of its lease), and the record names the epoch whose files are valid. A writer that lost its lease can
 * therefore neither replace nor remove the files of its successor. Rejects with `broker.*` if not all files could be
 * stored; the stored ones are then removed again.
 */
export async function storeOutcome(
  { putFile, removeFiles }: Pick<RunCluster, "putFile" | "removeFiles">,
  { runId, epoch, folder, record }: Pick<RunWriter, "runId" | "epoch" | "folder" | "record">,
  report: SessionReport,
): Promise<StoredOutcome> {
  let isStored = false;
  const put = async (path: string, content: Uint8Array): Promise<void> => {
    isStored = true;
    await putFile(runId, folderOf(epoch), { path, content });
  };
  const removeOf = (removed: number): Promise<void> => removeFiles(runId, folderOf(removed)).catch(() => undefined);
  try {
    await putFiles(put, { folder, report });
  } catch (error) {
    // No report will name these files, and there may be no later attempt that removes them.
    if (isStored) await removeOf(epoch);
    throw error;
  }
  const { files_epoch: earlier } = record;
  return {
    epoch: isStored ? epoch : undefined,
    discard: async () => {
      if (isStored) await removeOf(epoch);
    },
    removeEarlier: async () => {
      // The writer of the earlier report has removed the files of all writers before it.
      const first = earlier ?? FIRST_EPOCH;
      const epochs = Array.from({ length: epoch }, (_, index) => index).filter((one) => one >= first);
      const reported = earlier === undefined ? [] : epochs.slice(0, 1);
      for (const one of new Set([...reported, ...epochs.slice(-MAX_SEARCHED)])) await removeOf(one);
    },
  };
}

/** Passes the artifacts and the patch of a report to `put`. */
async function putFiles(
  put: (path: string, content: Uint8Array) => Promise<void>,
  { folder, report }: { readonly folder: string; readonly report: SessionReport },
): Promise<void> {
  for (const { path } of report.artifacts) {
    if (path === undefined) continue;
    const content = await readFile(join(folder, ARTIFACTS, path)).catch(() => undefined);
    if (content !== undefined) await put(`${ARTIFACTS}/${path}`, content);
  }
  // Without a stored patch, the diff in the report is the patch.
  const { workspaceDiff = "" } = report;
  const patch = workspaceDiff === "" ? "" : await readPatch({ report }).catch(() => undefined);
  if (patch === undefined) await put(PATCH.none, Buffer.from(""));
  else if (!Buffer.from(patch).equals(Buffer.from(workspaceDiff))) await put(PATCH.exact, Buffer.from(patch));
  // An attempt whose changes are not in the report has not written this file. An earlier attempt may have written one.
  const hasUndo = report.workspaceDiff !== undefined;
  const undo = hasUndo ? await readFile(join(folder, LOCAL_NAMES[PATCH.undo])).catch(() => undefined) : undefined;
  if (undo !== undefined) await put(PATCH.undo, undo);
}

/** A run whose outcome is read. */
interface RunOfOutcome {
  /** Id of the run. */
  readonly runId: string;
  /** Record of the run. */
  readonly record?: Pick<RunRecord, "files_epoch"> | undefined;
}

/** Resolves with an artifact of a run's newest report. `undefined` if it is not on the broker. */
export async function artifactOnBroker(
  { runId, record }: RunOfOutcome,
  path: string,
  { readFile: read }: Pick<RunCluster, "readFile">,
): Promise<Uint8Array | undefined> {
  const epoch = record?.files_epoch;
  return epoch === undefined ? undefined : await read(runId, folderOf(epoch), `${ARTIFACTS}/${path}`);
}

/** Resolves with the exact changes of a run that a worker executed. `undefined` if they are not stored. */
export async function patchOnBroker(
  { runId, record, report }: RunOfOutcome & { readonly report?: SessionReport | undefined },
  { readFile: read }: Pick<RunCluster, "readFile">,
): Promise<string | Uint8Array | undefined> {
  const epoch = record?.files_epoch;
  if (epoch === undefined) return report?.workspaceDiff;
  const exact = await read(runId, folderOf(epoch), PATCH.exact);
  if (exact !== undefined) return exact;
  const isInexact = (await read(runId, folderOf(epoch), PATCH.none)) !== undefined;
  return isInexact ? undefined : report?.workspaceDiff;
}

/**
 * Replaces the files in a run folder that an undo needs by those on the broker. Called on a worker that did not execute
 * the run. Rejects with `broker.*` and the errors of the file system.
 */
export async function loadUndoFiles(
  { runId, record }: RunOfOutcome,
  folder: string,
  { readFile: read }: Pick<RunCluster, "readFile">,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, local] of Object.entries(LOCAL_NAMES)) {
    const path = join(folder, local);
    await rm(path, { force: true });
    const epoch = record?.files_epoch;
    const content = epoch === undefined ? undefined : await read(runId, folderOf(epoch), name);
    if (content !== undefined) await writeFile(path, content, { mode: 0o600 });
  }
}
