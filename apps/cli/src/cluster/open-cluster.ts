import { join } from "node:path";
import { type RunCluster, toEngineError } from "@switchyard/contracts";
import { printError } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { stateDirectory } from "../run/state-directory.ts";

/** Options that select a cluster. */
export interface ClusterChoice {
  /** URL of the queue: `nats://HOST:PORT/NAME`. */
  readonly queue: string;
  /** Folder for the files of runs. Default: the folder that stores runs. */
  readonly state?: string | undefined;
}

/** Connects to the cluster of a queue. Rejects with `config.invalid` and `broker.*`. */
export async function openCluster(context: CommandContext, { queue, state }: ClusterChoice): Promise<RunCluster> {
  const { openNatsCluster, parseBrokerAddress } = await import("@switchyard/stores/nats");
  const broker = parseBrokerAddress(queue, context, "--queue");
  return await openNatsCluster({
    ...broker,
    filesDirectory: join(stateDirectory(context, state), "runs"),
    onError: (error) => printError(context.stderr, toEngineError(error)),
  });
}
