import {
  DEPENDENCY,
  EngineError,
  isExecutionEnvironment,
  isSecretSink,
  isToolSource,
  type Run,
  type ToolSource,
} from "@switchyard/contracts";
import type { McpLogins, McpPool, McpServers } from "@switchyard/mcp";
import type { EnvironmentRecord } from "./model-choice.ts";

/** MCP servers of an agent. */
export interface AgentMcpServers {
  /** Servers by name. `undefined`: the agent configures none. */
  readonly servers: McpServers | undefined;
  /** Environment variables to which MCP server configurations can refer. */
  readonly env: EnvironmentRecord;
  /** Stored logins for MCP servers that require authentication. */
  readonly logins?: McpLogins | undefined;
  /** Pool that keeps servers open over several runs. Default: each run starts and stops its own servers. */
  readonly pool?: McpPool | undefined;
  /** Maximum time that a run waits for its MCP servers before the agent starts, in milliseconds. Default: 30,000. */
  readonly startWaitMs?: number | undefined;
}

const START_WAIT_MS = 30_000;

/** Combines two tool sources. If both sources have a tool of the same name, the first source's tool is used. */
function bothSources(first: ToolSource, second: ToolSource): ToolSource {
  return {
    tools: () => {
      const names = new Set(first.tools().map(({ definition }) => definition.name));
      return [...first.tools(), ...second.tools().filter(({ definition }) => !names.has(definition.name))];
    },
    takeNotices: () => [...(first.takeNotices?.() ?? []), ...(second.takeNotices?.() ?? [])],
    settled: async () => {
      await Promise.all([first.settled?.(), second.settled?.()]);
    },
    onChange: (listener) => {
      const ends = [first.onChange(listener), second.onChange(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

/**
 * Starts MCP servers in the run's environment, calls `work` with the servers' tools added to the host's tools, and
 * stops the servers afterwards, unless they belong to a pool. Waits up to `startWaitMs` until each server is ready or has failed; a late or failed
 * server causes a warning. Rejects with `mcp.required_unavailable` if a required server fails, and with the errors of
 * `work`.
 */
export async function withMcpServers<T>(
  { servers, env, logins, pool, startWaitMs = START_WAIT_MS }: AgentMcpServers,
  run: Run,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const environment = run.deps.get(DEPENDENCY.environment);
  // A missing environment is not reported here, because the agent itself reports it.
  if (servers === undefined || !isExecutionEnvironment(environment)) return work(run);
  const connect = pool?.connect ?? (await import("@switchyard/mcp")).connectMcpServers;
  const sink = run.deps.get(DEPENDENCY.secretSink);
  const connections = await connect({
    ...{ servers, env, logins, environment, startWaitMs, signal: run.signal },
    onSecret: (value) => isSecretSink(sink) && sink.add(value.reveal()),
  });
  try {
    const deps = run.deps.clone();
    const ownSource = deps.get(DEPENDENCY.toolRegistry);
    if (ownSource !== undefined && !isToolSource(ownSource)) {
      const problem = "it is not a tool source";
      throw new EngineError("config.invalid", { field: DEPENDENCY.toolRegistry, problem });
    }
    deps.set(DEPENDENCY.toolRegistry, ownSource === undefined ? connections : bothSources(ownSource, connections));
    return await work({ ...run, deps });
  } finally {
    await connections[Symbol.asyncDispose]();
  }
}
