import { readClusterStatus } from "@switchyard/server";
import { renderClusterStatus, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { type ClusterChoice, openCluster } from "./open-cluster.ts";

/** Options of the command `cluster status`. */
export interface StatusChoice extends ClusterChoice {
  /** Whether to print JSON. */
  readonly json?: boolean | undefined;
}

/** Prints the state of a cluster. Resolves with exit code 0. Rejects with `config.invalid` and `broker.*`. */
export async function showCluster(context: CommandContext, { json, ...choice }: StatusChoice): Promise<number> {
  await using cluster = await openCluster(context, choice);
  const status = await readClusterStatus(cluster, { nowMs: context.now() });
  const lines = json === true ? [toPlainJson(status)] : renderClusterStatus(status);
  context.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}
