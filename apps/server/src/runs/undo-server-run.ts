import { EngineError, type RunCluster, type RunRecord, type UndoneRun } from "@switchyard/contracts";
import { undoRun } from "@switchyard/runner";
import type { ClusterView } from "../cluster/cluster-view.ts";
import { assertUndoable, refusal } from "../cluster/undo-on-worker.ts";
import { needsOfRecord, unmetNeed } from "../scheduler/run-needs.ts";
import type { FoundRun } from "./find-run.ts";
import type { RunsParts } from "./runs-parts.ts";
import { serverSettingsOf } from "./server-settings.ts";

/**
 * Reverts the changes of an inactive run in its workspace, on this machine or on a worker. With `isDryRun`, only checks
 * whether this is possible. Rejects with `server.run_at_work`, `run.not_undoable` or `workspace.locked`; nothing is
 * then changed.
 */
export async function undoServerRun(
  { stored, record }: FoundRun,
  isDryRun: boolean,
  { options, dispatcher, view }: Pick<RunsParts, "options" | "dispatcher" | "view">,
): Promise<UndoneRun> {
  const { run_id: runId, environment } = record;
  if (dispatcher.find(runId) !== undefined || stored.lease?.isHeld === true) {
    throw new EngineError("server.run_at_work", { runId });
  }
  const { cluster } = options;
  if (cluster !== undefined && view !== undefined) {
    await undoOnWorkers({ record, isDryRun }, { cluster, view });
    return { run_id: runId, undone: !isDryRun, workspace_diff: stored.report?.workspaceDiff ?? "" };
  }
  // In other environments, the changed files are not those of the local folder.
  const isHere = environment === "local" || environment === "sandbox";
  const diff = await undoRun(stored, {
    env: process.env,
    stateDirectory: options.stateDirectory,
    workspace: isHere ? serverSettingsOf(stored.request)?.workspace : undefined,
    now: (options.now ?? Date.now)(),
    dryRun: isDryRun,
  });
  return { run_id: runId, undone: !isDryRun, workspace_diff: diff };
}

/** Asks the worker that has the workspace of a run, or another one if that worker is gone, to revert its changes. */
async function undoOnWorkers(
  { record, isDryRun }: { readonly record: RunRecord; readonly isDryRun: boolean },
  { cluster, view }: { readonly cluster: RunCluster; readonly view: ClusterView },
): Promise<void> {
  const { run_id: runId, worker: holder } = record;
  assertUndoable(record);
  const needs = needsOfRecord(record);
  const workers = view.workers().filter((worker) => unmetNeed(worker, needs) === undefined);
  const named = workers.filter(({ name }) => name === holder);
  for (const { name } of named.length > 0 ? named : workers) {
    if (await cluster.requestUndo(name, { runId, isDryRun })) return;
  }
  throw refusal(runId, "no worker that can have its workspace is connected, or a run works in its folder");
}
