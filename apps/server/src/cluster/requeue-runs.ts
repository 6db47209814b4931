import { EngineError, type RunRecord, type RunStore } from "@switchyard/contracts";
import { requeueSession } from "@switchyard/runner";
import { createRemoteEngine, isDeadLetter } from "@switchyard/server";
import { plural } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { type ClusterChoice, openCluster } from "./open-cluster.ts";

/** Options of the command `cluster requeue`. */
export interface RequeueChoice extends ClusterChoice {
  /** Ids of the runs. Empty: all dead letters. */
  readonly runs: readonly string[];
}

/**
 * Queues dead letters again. Each may be attempted as often as a new run. Resolves with exit code 0. Rejects with
 * `config.invalid`, `broker.*`, and with `run.*` for a run that does not exist or cannot be queued.
 */
export async function requeueRuns(context: CommandContext, { runs, ...choice }: RequeueChoice): Promise<number> {
  await using cluster = await openCluster(context, choice);
  const { store } = cluster;
  const records = runs.length === 0 ? await deadLettersOf(store) : await recordsOf(store, runs);
  for (const { run_id: runId, engine: engineName } of records) {
    await requeueSession(runId, { engine: createRemoteEngine(engineName), engineName, store });
  }
  context.stderr.write(`${plural(records.length, "run")} requeued\n`);
  return 0;
}

async function deadLettersOf(store: RunStore): Promise<RunRecord[]> {
  const records = (await store.list()).flatMap((run) => ("record" in run ? [run.record] : []));
  return records.filter(isDeadLetter);
}

/** Resolves with the records of all named runs, before any of them is queued. */
async function recordsOf(store: RunStore, runIds: readonly string[]): Promise<RunRecord[]> {
  const records: RunRecord[] = [];
  for (const runId of runIds) {
    const { record, problems } = await store.show(runId);
    if (record === undefined) throw problems[0] ?? new EngineError("run.malformed_record", { path: runId });
    records.push(record);
  }
  return records;
}
