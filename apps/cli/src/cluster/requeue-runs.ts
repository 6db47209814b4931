import { requeueRuns as requeue } from "@switchyard/server";
import { plural } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { type ClusterChoice, openCluster } from "./open-cluster.ts";

/** Options of the command `cluster requeue`. */
export interface RequeueChoice extends ClusterChoice {
  /** Ids of the runs. Empty: all dead letters (runs whose worker died in each of several attempts). */
  readonly runs: readonly string[];
}

/** Queues runs again and prints their number. Resolves with exit code 0. Rejects with `config.invalid`, `broker.*` and `run.*`. */
export async function requeueRuns(context: CommandContext, { runs, ...choice }: RequeueChoice): Promise<number> {
  await using cluster = await openCluster(context, choice);
  context.stderr.write(`${plural(await requeue(cluster.store, runs), "run")} requeued\n`);
  return 0;
}
