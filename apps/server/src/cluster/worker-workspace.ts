import { existsSync } from "node:fs";
import type { RunCluster } from "@switchyard/contracts";
import { openRunWorkspace, workspacePath } from "../run/run-workspace.ts";
import { STAGING_PREFIX } from "../runs/accept-run.ts";

/** Parts that prepare a workspace. */
interface WorkspaceParts {
  /** Connection to the cluster. */
  readonly cluster: Pick<RunCluster, "files">;
  /** State folder of the worker. */
  readonly stateDirectory: string;
}

/**
 * Prepares the workspace of a run on this worker, and resolves with its absolute path. The workspace of an earlier
 * attempt on this machine is used again. Otherwise the workspace contains the files that were uploaded with the run.
 * Rejects with `run.store_failed` and `broker.*`.
 */
export async function openWorkerWorkspace(runId: string, { cluster, stateDirectory }: WorkspaceParts): Promise<string> {
  const path = workspacePath(stateDirectory, runId);
  if (existsSync(path)) return path;
  const staging = await openRunWorkspace(`${STAGING_PREFIX}${runId}`, { stateDirectory });
  try {
    await staging.withFiles(async (takeFile) => {
      for await (const file of cluster.files(runId, "input")) await takeFile(file.path, file.content);
    });
    return (await staging.renameTo(runId)).path;
  } finally {
    await staging.remove();
  }
}
