import { randomUUID } from "node:crypto";
import type { ClusterFile, RunCluster } from "@switchyard/contracts";

/** Name of the file that contains the changes with which a forked run begins. */
const START_PATCH = "start.patch";

/** Files with which a run begins. */
export interface InitialFiles {
  /** Uploaded files. */
  readonly files: AsyncIterable<ClusterFile>;
  /** Changes that a worker applies to the initial workspace. `undefined`: none. */
  readonly startPatch?: string | Uint8Array | undefined;
}

/** Names a run and the id of its files on the broker. */
export interface RunUpload {
  /** Id of the run. */
  readonly runId: string;
  /** Id of the files. `undefined` if the run has none. */
  readonly upload: string | undefined;
}

/**
 * Stores the files of a new run on the broker, under a new id. Several servers may accept requests with the same run id at
 * the same time, so the run is stored with the id of its files. Resolves with the id, or with `undefined` if there are no
 * files. If it rejects, with `broker.*` or `run.store_failed`, no file remains.
 */
export async function storeUpload(
  runId: string,
  { files, startPatch }: InitialFiles,
  cluster: Pick<RunCluster, "putFile" | "removeFiles">,
): Promise<string | undefined> {
  const id = randomUUID();
  let hasFiles = startPatch !== undefined;
  try {
    for await (const file of files) {
      hasFiles = true;
      await cluster.putFile(runId, `input.${id}`, file);
    }
    if (startPatch !== undefined) {
      await cluster.putFile(runId, `patch.${id}`, { path: START_PATCH, content: Buffer.from(startPatch) });
    }
  } catch (error) {
    await removeUpload({ runId, upload: id }, cluster);
    throw error;
  }
  return hasFiles ? id : undefined;
}

/** Removes files that were stored for a run which does not name them. Never rejects: the store removes such files later. */
export async function removeUpload(
  { runId, upload }: RunUpload,
  { removeFiles }: Pick<RunCluster, "removeFiles">,
): Promise<void> {
  if (upload === undefined) return;
  for (const folder of ["input", "patch"] as const) {
    await removeFiles(runId, `${folder}.${upload}`).catch(() => undefined);
  }
}

/** Streams the uploaded files of a run. */
export async function* uploadedFiles(
  { runId, upload }: RunUpload,
  cluster: Pick<RunCluster, "files">,
): AsyncGenerator<ClusterFile, void, undefined> {
  if (upload !== undefined) yield* cluster.files(runId, `input.${upload}`);
}

/** Resolves with the changes that a worker applies to the initial workspace of a run. `undefined` if there are none. */
export async function startPatchOf(
  { runId, upload }: RunUpload,
  cluster: Pick<RunCluster, "readFile">,
): Promise<Uint8Array | undefined> {
  return upload === undefined ? undefined : await cluster.readFile(runId, `patch.${upload}`, START_PATCH);
}
