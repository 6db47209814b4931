import type { ApprovalPolicy } from "@switchyard/agent";
import type { Engine } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { createEngineRegistry } from "@switchyard/engine";
import type { McpServers } from "@switchyard/mcp";
import type { AgentEngine, AgentEngineConfig, StartSessionOptions } from "@switchyard/runner";
import { AGENT_ENGINE, openAgentEngine, secretsFromEnv } from "@switchyard/runner";
import { type Masker, type Secret, secret } from "@switchyard/secrets";
import { credentialsFile } from "../engine/engine-file.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
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
  /** A key in place of those of the environment. */
  apiKey?: string | undefined;
  /** Configuration that describes the engine, in place of its name. */
  engineDocument?: unknown;
}

/** An engine, as the options of a session. */
export type OpenedEngine = Pick<StartSessionOptions, "engine" | "engineName" | "model" | "secrets" | "createdBy">;

/**
 * Finds the engine by its name and makes it. Rejects with `engine.not_found`, `model.*` and `config.invalid`, before
 * anything was asked of a provider.
 */
export async function openEngine(world: World, choice: EngineChoice): Promise<OpenedEngine> {
  const { model, baseUrl, reasoningEffort, web, toolNames: naming, mcpServers, approval, askUser } = choice;
  const { engine: name, apiKey } = choice;
  const agentConfig = { model, baseUrl, reasoningEffort, web, mcpServers, profile: { naming }, approval, askUser };
  if (choice.engineDocument !== undefined)
    return openConfigured(world, choice.engineDocument, { ...agentConfig, apiKey });
  let agent: AgentEngine | undefined;
  const registry = createEngineRegistry({
    [AGENT_ENGINE]: async (): Promise<Engine> => {
      agent = await openAgent({ ...agentConfig, env: world.env, apiKey: await agentKey(world, { model, apiKey }) });
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

/** An engine of a configuration. What has no effect in it is said, and nobody is kept waiting for that. */
async function openConfigured(
  world: World,
  document: unknown,
  { apiKey, ...agent }: Omit<AgentEngineConfig, "env"> & { apiKey?: string | undefined },
): Promise<OpenedEngine> {
  const { openConfiguredEngine } = await import("@switchyard/runner");
  const options = { env: world.env, apiKey, credentialsFile: credentialsFile(world), agent };
  const { name, engine, model, warnings } = await openConfiguredEngine(document, options);
  for (const warning of warnings) world.stderr.write(`warning: ${neutraliseControls(warning)}\n`);
  const secrets = [...secretsFromEnv(world.env), ...(apiKey === undefined ? [] : [secret(apiKey)])];
  return { engine, engineName: name, model, secrets, createdBy: `@switchyard/cli ${world.version}` };
}

/** The key of the model's provider: the one that was handed in, else the file of credentials where the environment has none. */
async function agentKey(
  world: World,
  { model, apiKey }: Pick<EngineChoice, "model" | "apiKey">,
): Promise<Secret | undefined> {
  if (apiKey !== undefined) return secret(apiKey);
  if (model === undefined) return undefined;
  const { findApiKey } = await import("@switchyard/runner");
  return findApiKey({ provider: model.split("/")[0] ?? "", env: world.env, file: credentialsFile(world) });
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
