import type { ApprovalPolicy } from "@switchyard/agent";
import type { Engine } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { createEngineRegistry } from "@switchyard/engine";
import type { McpServers } from "@switchyard/mcp";
import type { AgentEngine, AgentEngineConfig, StartSessionOptions } from "@switchyard/runner";
import { AGENT_ENGINE, openAgentEngine, secretsFromEnv } from "@switchyard/runner";
import type { Masker } from "@switchyard/secrets";
import type { World } from "../world/world.ts";
import type { ToolNames } from "./tool-names.ts";

/** What a server of the user's own is given where no key is set: it may want none. */
const NO_KEY = "no-key-was-set";

/** What the engine of a run is chosen by. */
export interface EngineChoice {
  /** Name of the engine. */
  engine: string;
  /** Model reference, `provider/name`; the newest of a provider whose key is set by default. */
  model?: string | undefined;
  /** Address of the model's API. */
  baseUrl?: string | undefined;
  /** Reasoning effort of the model. */
  reasoningEffort?: string | undefined;
  /** Whether the agent may fetch pages of the public web. */
  web?: boolean | undefined;
  /** Whose names the model knows the tools by. */
  toolNames?: ToolNames | undefined;
  /** Which calls may run, and which wait for a permission. */
  approval?: ApprovalPolicy | undefined;
  /** Whether the agent may ask questions. */
  askUser?: boolean | undefined;
  /** MCP servers whose tools the agent is offered. */
  mcpServers?: McpServers | undefined;
}

/** An engine, as the options of a session. */
export type OpenedEngine = Pick<StartSessionOptions, "engine" | "engineName" | "model" | "secrets" | "createdBy">;

/**
 * Finds the engine by its name and makes it. Rejects with `engine.not_found`, `model.*` and `config.invalid`, before
 * anything was asked of a provider.
 */
export async function openEngine(world: World, choice: EngineChoice): Promise<OpenedEngine> {
  const { model, baseUrl, reasoningEffort, web, toolNames: naming, mcpServers, approval, askUser } = choice;
  const { engine: name } = choice;
  let agent: AgentEngine | undefined;
  const registry = createEngineRegistry({
    [AGENT_ENGINE]: async (): Promise<Engine> => {
      const profile = { naming };
      const asking = { approval, askUser };
      agent = await openAgent({ model, baseUrl, reasoningEffort, web, mcpServers, profile, env: world.env, ...asking });
      return agent;
    },
  });
  return {
    engine: await registry.resolve(name),
    engineName: name,
    model: agent?.model ?? model,
    secrets: secretsFromEnv(world.env),
    createdBy: `@switchyard/cli ${world.version}`,
  };
}

/** Masks what the engine knows as secret, for what is shown before it is an event. */
export async function maskerOf({ engine, secrets = [] }: OpenedEngine): Promise<Masker> {
  const { createMasker, isSecret } = await import("@switchyard/secrets");
  const own: unknown = typeof engine === "object" && "secrets" in engine ? engine.secrets : [];
  return createMasker([...secrets, ...(Array.isArray(own) ? own.filter(isSecret) : [])]);
}

async function openAgent(config: AgentEngineConfig): Promise<AgentEngine> {
  try {
    return await openAgentEngine(config);
  } catch (error) {
    const mayWantNone = config.baseUrl !== undefined && EngineError.is(error, "model.missing_key");
    if (!mayWantNone) throw error;
    return await openAgentEngine({ ...config, apiKey: NO_KEY });
  }
}
