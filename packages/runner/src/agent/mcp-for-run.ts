import {
  DEPENDENCY,
  EngineError,
  isExecutionEnvironment,
  isSecretSink,
  isToolSource,
  type Run,
  type ToolSource,
} from "@switchyard/contracts";
import type { McpServers, McpSignIns } from "@switchyard/mcp";
import type { EnvironmentRecord } from "./model-choice.ts";

/** The servers of an agent. */
export interface AgentMcpServers {
  /** The servers by name. `undefined`: the run has none of its own. */
  readonly servers: McpServers | undefined;
  /** Values of the references in their configurations. */
  readonly env: EnvironmentRecord;
  /** Sign-ins to those of them that want one. */
  readonly signIns?: McpSignIns | undefined;
  /** Maximum time that a run waits for its servers before it starts, in milliseconds. Default: 30,000. */
  readonly startWaitMs?: number | undefined;
}

const START_WAIT_MS = 30_000;

/** Two sources as one: of tools with one name the first source's is offered. */
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
 * Does a run with MCP servers that live as long as it does, in its environment: their tools come beside those that its
 * host offers. Waits until each is ready or has failed, up to `startWaitMs`; a server that is late or dead is a warning.
 * Rejects with `mcp.required_unavailable` for one that is required, and with what the work rejects with; nothing of any server is left behind.
 */
export async function withMcpServers<T>(
  { servers, env, signIns, startWaitMs = START_WAIT_MS }: AgentMcpServers,
  run: Run,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const environment = run.deps.get(DEPENDENCY.environment);
  // The agent says so better than a server could.
  if (servers === undefined || !isExecutionEnvironment(environment)) return work(run);
  const { connectMcpServers } = await import("@switchyard/mcp");
  const sink = run.deps.get(DEPENDENCY.secretSink);
  const connections = await connectMcpServers({
    ...{ servers, env, signIns, environment, startWaitMs, signal: run.signal },
    onSecret: (value) => isSecretSink(sink) && sink.add(value.reveal()),
  });
  try {
    const deps = run.deps.clone();
    const given = deps.get(DEPENDENCY.toolRegistry);
    if (given !== undefined && !isToolSource(given)) {
      const problem = "it is no source of tools";
      throw new EngineError("config.invalid", { field: DEPENDENCY.toolRegistry, problem });
    }
    deps.set(DEPENDENCY.toolRegistry, given === undefined ? connections : bothSources(given, connections));
    return await work({ ...run, deps });
  } finally {
    await connections[Symbol.asyncDispose]();
  }
}
