import { rm, rmdir } from "node:fs/promises";
import {
  type ClusterWorker,
  type DeclineReason,
  EngineError,
  RESUMABLE_RUN_STATUSES,
  type RunRecord,
  type RunStore,
  type StoredRun,
  TERMINAL_RUN_STATUSES,
} from "@switchyard/contracts";
import { type BudgetClaim, claimBudget } from "../run/claim-budget.ts";
import { executeRun, isShutDown } from "../run/execute-run.ts";
import type { RunSlot } from "../run/run-executor.ts";
import { workspacePath } from "../run/run-workspace.ts";
import { needsOfRecord, type UnmetNeed, unmetNeed } from "../scheduler/run-needs.ts";
import type { OfferedFolders } from "./offered-folders.ts";
import { publishingStore } from "./publishing-store.ts";
import { RunConnection } from "./run-connection.ts";
import type { WorkerEngine, WorkerOptions } from "./worker-options.ts";
import { type PreparedWorkspace, prepareWorkspace, type WorkspaceParts } from "./worker-workspace.ts";

/** Reasons why a worker does not execute a run that it was offered. */
const PROBLEMS: Readonly<Record<UnmetNeed, string>> = {
  engine: "it does not have the engine of the run.",
  environment: "it does not have the environment that the run requires.",
  labels: "it does not have the labels that the run requires.",
  "other runs": "it takes only runs that require all of its labels.",
  folder: "it does not offer the folder of the run to the owner of the run.",
  repository: "none of its rules allows the repository of the run.",
};

/** Parts of a worker that its runs use. */
export interface WorkerContext {
  /** Options of the worker. */
  readonly options: WorkerOptions;
  /** Name of the worker. */
  readonly name: string;
  /** Folders that the worker offers. */
  readonly folders: OfferedFolders;
  /** Returns what the worker announces about itself. */
  readonly describe: () => ClusterWorker;
}

/** A run that the worker was offered. */
export interface OfferedRun {
  /** Id of the run. */
  readonly runId: string;
  /** Slot that the run uses. The caller releases it. */
  readonly slot: RunSlot;
  /** Called when the worker begins, after the folder of the run was taken. */
  readonly onTaken: () => void;
}

/**
 * Outcome of an offer. `ended`: the run was executed here and has ended. `lost`: another worker executes the run, or the
 * run was queued again at the shutdown. Otherwise the reason why the run did not begin here.
 */
export type RunOutcome = "ended" | "lost" | DeclineReason;

/**
 * Executes an offered run, unless its folder is in use or another worker executes it. Rejects with
 * `run.unsuitable_worker` if this worker may not execute the run, and with `workspace.*`, `run.*` and `broker.*`.
 */
export async function runOnWorker(offered: OfferedRun, context: WorkerContext): Promise<RunOutcome> {
  const { runId, slot } = offered;
  const stored = await context.options.cluster.store.show(runId);
  const { record } = stored;
  // Offers may be late or repeated.
  if (record?.status !== "queued") return "failed";
  const engine = engineFor(record, context);
  const claim = await claimBudget(engine.session, record.owner, slot);
  if ("waitsFor" in claim) {
    if (claim.problem !== undefined) context.options.onError?.(claim.problem);
    return claim.waitsFor;
  }
  try {
    return await take({ stored, record, slot, engine, claim }, offered.onTaken, context);
  } finally {
    await claim.budget?.close();
  }
}

/** Executes a run in the folder that it requires, unless another run works there. */
async function take(
  { record, ...run }: Omit<TakenRun, "folder"> & { readonly record: RunRecord },
  onTaken: () => void,
  context: WorkerContext,
): Promise<RunOutcome> {
  const taken = await context.folders.take(record);
  if (taken === "busy") return "folder_busy";
  await using folder = taken;
  onTaken();
  return await execute({ ...run, folder: folder?.path }, context);
}

/** Returns the engine of a run. Throws `run.unsuitable_worker` if this worker may not execute the run. */
function engineFor(record: RunRecord, { options, folders, describe }: WorkerContext): WorkerEngine {
  const engine = options.engines.find(({ session }) => session.engineName === record.engine);
  // The leader offers a run only to workers that suit it, but any process with access to the broker can offer runs.
  const unmet = unmetNeed({ ...describe(), folders: folders.all }, needsOfRecord(record));
  if (unmet === undefined && engine !== undefined) return engine;
  throw new EngineError("run.unsuitable_worker", { runId: record.run_id, problem: PROBLEMS[unmet ?? "engine"] });
}

/** A run that this worker executes. */
interface TakenRun {
  readonly stored: StoredRun;
  readonly slot: RunSlot;
  readonly engine: WorkerEngine;
  readonly claim: BudgetClaim;
  /** Path of the offered folder in which the run works. `undefined`: it has a workspace of its own. */
  readonly folder: string | undefined;
}

async function execute({ stored, slot, engine, folder, claim }: TakenRun, context: WorkerContext): Promise<RunOutcome> {
  const { runId } = stored;
  const { cluster, onRun, stateDirectory, now, onError, maxRunSeconds } = context.options;
  const connection = new RunConnection(runId, slot, cluster);
  let prepared: PreparedWorkspace | undefined;
  const publishing = publishingStore(cluster, {
    ...{ maxRunSeconds, now, isShutDown: () => isShutDown(slot), onAppend: () => connection.flushIncrements() },
    prepare: async (writer) => {
      connection.open(writer);
      if (folder === undefined) prepared = await prepareWorkspace(writer, workspacePartsOf(engine, context));
      return prepared;
    },
  });
  // A run that its budget refuses needs no workspace, and must end even if its workspace cannot be prepared.
  const store = claim.error === undefined ? publishing : cluster.store;
  const run = {
    ...{ runId, slot, stored, claim },
    openWorkspace: async () => folder ?? workspacePath(stateDirectory, runId),
    observerOf: () => connection.observer,
    onStart: connection.attach.bind(connection),
  };
  onRun?.({ runId, status: "running" });
  try {
    const status = await executeRun(run, {
      ...{ ...engine, stateDirectory, now, onError, store },
      // The record names the worker, so `isMoved` allows another worker to continue the run.
      more: { worker: context.name, isMoved: true },
    });
    onRun?.({ runId, status });
    // A run that is still queued was stopped by the shutdown of this worker.
    if (status === "queued") return "not_ready";
    // Another worker has acquired the run first or has taken it over, or the run was queued again at the shutdown.
    const isUncertain = status === "error" || isShutDown(slot);
    if (status === "running" || (isUncertain && !(await hasEnded(cluster.store, runId)))) return "lost";
    if (!RESUMABLE_RUN_STATUSES.includes(status))
      await removeWorkspace(runId, prepared?.stored.isStored === true, context);
    return "ended";
  } finally {
    connection.close();
    await prepared?.[Symbol.asyncDispose]();
  }
}

async function hasEnded({ show }: Pick<RunStore, "show">, runId: string): Promise<boolean> {
  const status = (await show(runId).catch(() => undefined))?.record?.status;
  return status !== undefined && TERMINAL_RUN_STATUSES.includes(status);
}

/** Returns how workspaces of an engine are prepared on a worker. */
export function workspacePartsOf({ session }: WorkerEngine, { options, name }: WorkerContext): WorkspaceParts {
  const { cluster, stateDirectory, repositories = [], env = process.env, onError } = options;
  const onProblem = (error: unknown): void => onError?.(error);
  const isCompared = session.workspaceDiff !== false;
  return { cluster, stateDirectory, worker: name, repositories, env, isCompared, onProblem };
}

/** Removes the workspace of a run that cannot be resumed. Its changes are in the report. */
async function removeWorkspace(runId: string, isStored: boolean, { options }: WorkerContext): Promise<void> {
  const { cluster, stateDirectory } = options;
  if (isStored) await cluster.removeFiles(runId, "snapshots").catch(() => undefined);
  const path = workspacePath(stateDirectory, runId);
  // Most workspaces of short runs are empty. Only other workspaces need to be searched for files.
  await rmdir(path).catch(() => rm(path, { recursive: true, force: true }).catch(() => undefined));
}
