import type { Engine } from "@switchyard/contracts";
import { createEngineRegistry, type EngineEntry, type EngineRegistry } from "@switchyard/engine";
import type { AgentEngineConfig } from "./open-agent-engine.ts";

/** Name of the built-in agent. */
export const AGENT_ENGINE = "agent";

/**
 * Makes a registry with the built-in agent under `agent`, opened when it is needed for the first time, and with
 * further engines. Throws `engine.duplicate`.
 */
export function createDefaultRegistry(
  options: AgentEngineConfig,
  engines: Readonly<Record<string, EngineEntry>> = {},
): EngineRegistry {
  const registry = createEngineRegistry({ [AGENT_ENGINE]: () => openAgent(options) });
  for (const [name, entry] of Object.entries(engines)) registry.register(name, entry);
  return registry;
}

/** Loads the model clients only when the agent is used. */
async function openAgent(options: AgentEngineConfig): Promise<Engine> {
  const { openAgentEngine } = await import("./open-agent-engine.ts");
  return openAgentEngine({ name: AGENT_ENGINE, ...options });
}
