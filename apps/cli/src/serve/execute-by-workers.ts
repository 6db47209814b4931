import { secretsFromEnv } from "@switchyard/runner";
import { createRemoteEngine, type ServerOptions } from "@switchyard/server";
import { isEngineFile } from "@switchyard/settings";
import { type ClusterChoice, openCluster } from "../cluster/open-cluster.ts";
import type { CommandContext } from "../context/command-context.ts";
import { usageError } from "../program/usage-error.ts";
import type { ServeOptions } from "./serve-options.ts";

/** Server options that select how runs are executed. */
export type Execution = Pick<ServerOptions, "session" | "openEnvironment" | "settings" | "store" | "cluster">;

/** Returns the options of a server whose runs are executed by the workers of a queue. Rejects with `usage.invalid`. */
export async function executeByWorkers(
  context: CommandContext,
  options: ServeOptions & ClusterChoice,
): Promise<Execution> {
  const { engine, store, workspace, env } = options;
  for (const [name, value] of Object.entries({ store, workspace, env })) {
    if (value !== undefined) throw usageError(`--${name} has no effect with --queue.`, "serve");
  }
  if (isEngineFile(engine)) {
    throw usageError("With --queue, --engine names an engine. Pass its file to `switchyard worker`.", "serve");
  }
  return {
    cluster: await openCluster(context, options),
    session: {
      ...{ engine: createRemoteEngine(engine), engineName: engine, secrets: secretsFromEnv(context.env) },
      createdBy: `@switchyard/cli ${context.version}`,
    },
    // Workers open the environments of runs.
    openEnvironment: (root) => ({ type: "local", root }),
  };
}
