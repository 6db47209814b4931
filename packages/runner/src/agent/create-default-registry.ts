import type { Engine } from "@switchyard/contracts";
import { createEngineRegistry, type EngineEntry, type EngineRegistry } from "@switchyard/engine";
import type { AgentEngineConfig } from "./open-agent-engine.ts";

/** Name of the built-in agent. */
export const AGENT_ENGINE = "agent";

/**
 * Creates an engine registry. It contains the built-in agent under the name `agent`, opened on first use, and the given
 * further engines. Throws `engine.duplicate` if two engines have the same name.
 */
export function createDefaultRegistry(
  options: AgentEngineConfig,
  engines: Readonly<Record<string, EngineEntry>> = {},
): EngineRegistry {
  const registry = createEngineRegistry({ [AGENT_ENGINE]: () => openAgent(options) });
  for (const [name, entry] of Object.entries(engines)) registry.register(name, entry);
  return registry;
}

/** Opens the built-in agent. The agent loads its model clients on first use. */
async function openAgent(options: AgentEngineConfig): Promise<Engine> {
  const { openAgentEngine } = await import("./open-agent-engine.ts");
  return openAgentEngine({ name: AGENT_ENGINE, ...options });
}
