import { type Engine, EngineError } from "@switchyard/contracts";
import type { CustomEngineOptions, LoadedEngineConfig } from "@switchyard/custom-engine";
import type { Secret } from "@switchyard/secrets";
import { AGENT_ENGINE } from "../agent/create-default-registry.ts";
import type { EnvironmentRecord } from "../agent/model-choice.ts";
import type { AgentEngineConfig } from "../agent/open-agent-engine.ts";
import { ANY_KEY_VARIABLE, findApiKey, variableOf } from "../credentials/find-api-key.ts";

/** What a configured engine is opened with. */
export interface OpenConfiguredEngineOptions {
  /** Variables that references are resolved from, and keys are looked for in: `process.env` as a rule. */
  readonly env: EnvironmentRecord;
  /** Name that wins over the one in the configuration. */
  readonly name?: string | undefined;
  /** A key that was handed in; it wins over variables and files. */
  readonly apiKey?: string | Secret | undefined;
  /** File of credentials: `~/.config/switchyard/credentials.yaml` as a rule. None by default. */
  readonly credentialsFile?: string | undefined;
  /** What else the built-in agent is made of, where the configuration names it. */
  readonly agent?: Omit<AgentEngineConfig, "env"> | undefined;
  /** What else a custom engine is made with. */
  readonly custom?: Omit<CustomEngineOptions, "apiKey"> | undefined;
}

/** An engine that a configuration described. */
export interface ConfiguredEngine {
  /** Name of the engine. */
  readonly name: string;
  /** The engine itself. */
  readonly engine: Engine;
  /** Model reference, `provider/name`, where the configuration or the agent names one. */
  readonly model?: string | undefined;
  /** Settings without effect, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Makes the engine that a configuration describes: the built-in one of that name, else a custom engine. The API key is
 * looked for only where the configuration refers to it. Rejects with `config.*`, `credentials.*` and `model.*` errors,
 * before anything runs. custom-engine: configuration entry point, API key.
 */
export async function openConfiguredEngine(
  document: unknown,
  options: OpenConfiguredEngineOptions,
): Promise<ConfiguredEngine> {
  const { createCustomEngine, loadEngineConfig, refersToApiKey } = await import("@switchyard/custom-engine");
  const { env, name } = options;
  const loaded = loadEngineConfig(document, { env, name, builtIn: [AGENT_ENGINE] });
  const { custom } = loaded;
  const model = modelOf(loaded);
  if (custom === undefined) return openBuiltIn(loaded, options);
  const provider = loaded.model?.provider ?? "";
  const need = refersToApiKey(custom);
  const sources = { given: options.apiKey, provider, env, file: options.credentialsFile };
  const apiKey = need === "no" ? undefined : await findApiKey(sources);
  if (need === "must" && apiKey === undefined) {
    const variables = [...(provider === "" ? [] : [variableOf(provider)]), ANY_KEY_VARIABLE];
    throw new EngineError("config.missing_api_key", { engine: loaded.name, variables });
  }
  const engine = createCustomEngine(custom, { ...options.custom, apiKey });
  return { name: loaded.name, engine, ...(model === undefined ? {} : { model }), warnings: loaded.warnings };
}

function modelOf({ model }: LoadedEngineConfig): string | undefined {
  const parts = [model?.provider ?? "", model?.name ?? ""].filter((part) => part !== "");
  return parts.length === 0 ? undefined : parts.join("/");
}

async function openBuiltIn(
  { name, model, warnings }: LoadedEngineConfig,
  { env, apiKey, agent = {}, credentialsFile }: OpenConfiguredEngineOptions,
): Promise<ConfiguredEngine> {
  const { openAgentEngine } = await import("../agent/open-agent-engine.ts");
  const reference = agent.model ?? modelOf({ name, model, warnings });
  const provider = reference?.split("/")[0] ?? "";
  const key = await findApiKey({ given: apiKey ?? agent.apiKey, provider, env, file: credentialsFile });
  const engine = await openAgentEngine({
    ...{ name, ...agent, env, baseUrl: agent.baseUrl ?? model?.baseUrl },
    ...(reference === undefined ? {} : { model: reference }),
    ...(key === undefined || provider === "" ? {} : { apiKey: key }),
  });
  const idle =
    Object.keys(model?.params ?? {}).length > 0 ? ["engine.model.params has no effect on the built-in agent"] : [];
  return { name, engine, model: engine.model, warnings: [...warnings, ...idle] };
}
