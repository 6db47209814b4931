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
 * Queues dead letters again, with all their attempts. Resolves with exit code 0. Rejects with `config.invalid`,
 * `broker.*`, and with `run.*` for a run that cannot be queued.
 */
export async function requeueRuns(context: CommandContext, { runs, ...choice }: RequeueChoice): Promise<number> {
  await using cluster = await openCluster(context, choice);
  const { store } = cluster;
  let count = 0;
  for (const run of await store.list()) {
    if (!("record" in run)) continue;
    const { run_id: runId, engine: engineName } = run.record;
    if (runs.length === 0 ? !isDeadLetter(run.record) : !runs.includes(runId)) continue;
    await requeueSession(runId, { engine: createRemoteEngine(engineName), engineName, store });
    count += 1;
  }
  context.stderr.write(`${plural(count, "run")} requeued\n`);
  return 0;
}
