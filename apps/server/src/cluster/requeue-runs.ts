import { EngineError, type RunRecord, type RunStore } from "@switchyard/contracts";
import { requeueSession } from "@switchyard/runner";
import { isDeadLetter } from "./is-dead-letter.ts";
import { createRemoteEngine } from "./remote-engine.ts";

/**
 * Queues runs of a cluster again. Each may be attempted as often as a new run. If `runIds` is empty, queues all dead
 * letters (runs whose workers died too often). Resolves with the number of queued runs. Rejects with `run.*` for a run
 * that does not exist or cannot be queued. If a named run does not exist, none is queued.
 */
export async function requeueRuns(store: RunStore, runIds: readonly string[]): Promise<number> {
  const records = runIds.length === 0 ? await deadLettersOf(store) : await recordsOf(store, runIds);
  for (const { run_id: runId, engine: engineName } of records) {
    await requeueSession(runId, { engine: createRemoteEngine(engineName), engineName, store });
  }
  return records.length;
}

async function deadLettersOf(store: RunStore): Promise<RunRecord[]> {
  const records = (await store.list()).flatMap((run) => ("record" in run ? [run.record] : []));
  return records.filter(isDeadLetter);
}

async function recordsOf(store: RunStore, runIds: readonly string[]): Promise<RunRecord[]> {
  const records: RunRecord[] = [];
  for (const runId of runIds) {
    const { record, problems } = await store.show(runId);
    if (record === undefined) throw problems[0] ?? new EngineError("run.malformed_record", { path: runId });
    records.push(record);
  }
  return records;
}
