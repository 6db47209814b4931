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
  /** The servers by name. */
  readonly servers: McpServers;
  /** Values of the references in their configurations. */
  readonly env: EnvironmentRecord;
  /** Sign-ins to those of them that want one. */
  readonly signIns?: McpSignIns | undefined;
}

/** Two sources as one: of tools with one name the first source's is offered. */
function bothSources(first: ToolSource, second: ToolSource): ToolSource {
  return {
    tools: () => {
      const names = new Set(first.tools().map(({ definition }) => definition.name));
      return [...first.tools(), ...second.tools().filter(({ definition }) => !names.has(definition.name))];
    },
    takeNotices: () => [...(first.takeNotices?.() ?? []), ...(second.takeNotices?.() ?? [])],
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
 * host offers. A server that is slow or dead is waited for a little and then told of by a warning. Rejects with what the
 * work rejects with; nothing of any server is left behind.
 */
export async function withMcpServers<T>(
  { servers, env, signIns }: AgentMcpServers,
  run: Run,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const environment = run.deps.get(DEPENDENCY.environment);
  // The agent says so better than a server could.
  if (!isExecutionEnvironment(environment)) return work(run);
  const { connectMcpServers } = await import("@switchyard/mcp");
  const sink = run.deps.get(DEPENDENCY.secretSink);
  const connections = await connectMcpServers({
    ...{ servers, env, signIns, environment, signal: run.signal },
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
