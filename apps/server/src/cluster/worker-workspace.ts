import { existsSync } from "node:fs";
import { EngineError, type RunCluster, type RunWriter } from "@switchyard/contracts";
import type { HostVariables } from "@switchyard/environment";
import { checkOutSource } from "@switchyard/workspace";
import { openRunWorkspace, type RunWorkspace, workspacePath } from "../run/run-workspace.ts";
import { STAGING_PREFIX } from "../runs/accept-run.ts";
import { findRepositoryRule } from "../scheduler/run-needs.ts";
import type { WorkerRepository } from "./worker-repository.ts";

/** What a worker needs to prepare a workspace. */
export interface WorkspaceParts {
  /** Connection to the cluster. */
  readonly cluster: Pick<RunCluster, "files">;
  /** State folder of the worker. */
  readonly stateDirectory: string;
  /** Repositories that the worker may check out. */
  readonly repositories: readonly WorkerRepository[];
  /** Environment variables of the host, used to run git. */
  readonly env: HostVariables;
  /** Absolute path of the offered folder in which the run works. `undefined`: the run gets a new folder. */
  readonly folder: string | undefined;
}

/**
 * Prepares the workspace of a run on this worker, and resolves with its absolute path. The workspace of an earlier
 * attempt on this machine is used again. Otherwise the workspace contains the commit that the run names and the files
 * that were uploaded with it. Rejects with `workspace.source_failed`, `run.store_failed` and `broker.*`.
 */
export async function openWorkerWorkspace(writer: RunWriter, parts: WorkspaceParts): Promise<string> {
  const { runId } = writer;
  const { cluster, stateDirectory, folder } = parts;
  if (folder !== undefined) return folder;
  const path = workspacePath(stateDirectory, runId);
  if (existsSync(path)) return path;
  const staging = await openRunWorkspace(`${STAGING_PREFIX}${runId}`, { stateDirectory });
  try {
    await checkOut(writer, staging, parts);
    await staging.withFiles(async (takeFile) => {
      for await (const file of cluster.files(runId, "input")) await takeFile(file.path, file.content);
    });
    return (await staging.renameTo(runId)).path;
  } finally {
    await staging.remove();
  }
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
