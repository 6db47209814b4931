import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { type McpHost, serveMcp } from "@switchyard/protocol-server/mcp";
import { withHistory } from "@switchyard/runner";
import { hostWorkspaceOf } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";
import { withDefaultEnvironment } from "../environment/default-environment.ts";
import { findEarlierRun } from "../history/find-earlier-run.ts";
import { findRun, placeOfRuns } from "../runs/open-runs.ts";
import { createStopSignal } from "../task/stop-signal.ts";
import { createTaskHost } from "../task/task-host.ts";
import type { TaskOptions } from "../task/task-options.ts";

/** Serves an MCP client until the client disconnects. Resolves with the exit code. */
export async function executeMcp(context: CommandContext, typed: TaskOptions): Promise<number> {
  const options = withDefaultEnvironment(context, typed);
  const stop = createStopSignal(context);
  const { workspace = ".", ...others } = options;
  const root = resolve(context.workingDirectory, workspace);
  const host: McpHost = {
    ...createTaskHost(context, others, "mcp"),
    findRun: (runs, id) => findRun(context, runs, { ...options, id, command: "mcp" }),
    runNotFound: (runId) => new EngineError("run.not_found", { runId, stateDirectory: placeOfRuns(context, options) }),
    workspaceOf: hostWorkspaceOf,
    continueRun: async (from, input) => withHistory(input, await findEarlierRun(context, { ...options, from })),
  };
  await serveMcp(context.openWire(), { host, root, stop, version: context.version });
  return stop.aborted ? 130 : 0;
}
