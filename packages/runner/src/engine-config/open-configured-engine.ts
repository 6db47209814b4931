import { type Engine, EngineError } from "@switchyard/contracts";
import type { CustomEngineOptions, LoadedEngineConfig } from "@switchyard/custom-engine";
import type { OpenModelAccess } from "@switchyard/engine";
import type { Secret } from "@switchyard/secrets";
import { AGENT_ENGINE } from "../agent/create-default-registry.ts";
import type { EnvironmentRecord } from "../agent/model-choice.ts";
import type { AgentEngineConfig } from "../agent/open-agent-engine.ts";
import { ANY_KEY_VARIABLE, findApiKey, variableOf } from "../credentials/find-api-key.ts";
import { createModelAccess } from "../model-access/create-model-access.ts";

/** Environment variables that `config.missing_api_key` suggests if the configuration names no provider. */
const VENDOR_KEY_VARIABLES = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"];

/** Options for `openConfiguredEngine`. */
export interface OpenConfiguredEngineOptions {
  /** Environment variables for references in the configuration and for API keys, usually `process.env`. */
  readonly env: EnvironmentRecord;
  /** Engine name that overrides the configuration's name. */
  readonly name?: string | undefined;
  /** API key given by the caller. Takes precedence over environment variables and the credentials file. */
  readonly apiKey?: string | Secret | undefined;
  /** Credentials file, usually `~/.config/switchyard/credentials.yaml`. Default: none. */
  readonly credentialsFile?: string | undefined;
  /**
   * Returns the current time, in milliseconds since 1970, to select the prices that are valid then. Default: the system
   * time.
   */
  readonly now?: (() => number) | undefined;
  /** Further options for the built-in agent. Used only if the configuration names the built-in agent. */
  readonly agent?: Omit<AgentEngineConfig, "env"> | undefined;
  /**
   * Whether a custom engine that refers to `${model_base_url}` or `${model_token}` reaches models through a gateway in
   * this process. Default: true.
   */
  readonly usesGateway?: boolean | undefined;
  /**
   * Opens access to models for a custom engine, in place of the gateway with the API keys of the host. Then
   * `usesGateway` has no effect. Default: `undefined`.
   */
  readonly openModelAccess?: OpenModelAccess | undefined;
  /**
   * Models, `provider/model`, that replace a model of a custom engine that fails, in order, if the engine reaches models
   * through the gateway. Default: none.
   */
  readonly fallbackModels?: readonly string[] | undefined;
  /**
   * The only models that a custom engine may call through the gateway: `provider/name`, where a trailing `*` stands for
   * any ending. Default: the model that the engine was told to use.
   */
  readonly allowedModels?: readonly string[] | undefined;
  /** Further options for a custom engine. */
  readonly custom?: Omit<CustomEngineOptions, "apiKey"> | undefined;
}

/** An engine opened from its configuration. */
export interface ConfiguredEngine {
  /** Name of the engine. */
  readonly name: string;
  /** The engine itself. */
  readonly engine: Engine;
  /** Model reference, `provider/name`. `undefined` if neither the configuration nor the agent names one. */
  readonly model?: string | undefined;
  /** True if the engine reaches models through a gateway in this process. Default: false. */
  readonly usesGateway?: boolean | undefined;
  /** Warnings about settings that have no effect, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Opens the engine that a configuration describes: the built-in agent if the configuration has its name, otherwise a
 * custom engine. Looks up an API key for a custom engine only if the configuration refers to an API key. Rejects with
 * `config.*`, `credentials.*` or `model.*` before anything runs. See custom-engine: configuration entry point, API key.
 */
export async function openConfiguredEngine(
  document: unknown,
  options: OpenConfiguredEngineOptions,
): Promise<ConfiguredEngine> {
  const { createCustomEngine, loadEngineConfig, refersToApiKey, refersToModelAccess } = await import(
    "@switchyard/custom-engine"
  );
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
  const { open, isReady, problems } =
    refersToModelAccess(custom) === "no" ? NO_ACCESS : await accessOf(loaded, options);
  const engine = createCustomEngine(custom, { openModelAccess: open, ...options.custom, apiKey });
  const warnings = [...loaded.warnings, ...problems];
  const opened = { name: loaded.name, engine, ...(model === undefined ? {} : { model }), warnings };
  return { ...opened, ...(isReady ? { usesGateway: true } : {}) };
}

/** How a custom engine reaches models through the gateway, which forwards model calls with the real API key. */
interface AccessOfEngine {
  /** Opens the gateway for each run. `undefined` if the engine does not use the gateway. */
  readonly open: OpenModelAccess | undefined;
  /** Whether the host can connect to a provider at the moment. Each run checks this again. */
  readonly isReady: boolean;
  /** Problems of the fallback models. */
  readonly problems: readonly string[];
}

const NO_ACCESS: AccessOfEngine = { open: undefined, isReady: false, problems: [] };

/**
 * Determines how a custom engine reaches models. Rejects with `config.missing_api_key` if the engine needs the gateway,
 * but the host cannot connect to a provider. An engine needs the gateway if its configuration refers to
 * `${model_base_url}` or `${model_token}` without a default value.
 */
async function accessOf(
  { name, custom, model }: LoadedEngineConfig,
  options: OpenConfiguredEngineOptions,
): Promise<AccessOfEngine> {
  const {
    env,
    apiKey,
    credentialsFile,
    fallbackModels,
    allowedModels,
    usesGateway = true,
    openModelAccess,
    now,
  } = options;
  if (openModelAccess !== undefined) return { open: openModelAccess, isReady: true, problems: [] };
  if (!usesGateway || custom === undefined) return NO_ACCESS;
  const { refersToModelAccess } = await import("@switchyard/custom-engine");
  const provider = model?.provider === "" ? undefined : model?.provider;
  const { baseUrl } = model ?? {};
  const sources = { env, credentialsFile, provider, apiKey, baseUrl, fallbackModels, allowedModels, now };
  const access = createModelAccess(sources);
  const isReady = (await access.providers()).length > 0;
  const problems = isReady ? await access.fallbackProblems() : [];
  if (isReady || refersToModelAccess(custom) === "may") return { open: access.open, isReady, problems };
  const variables = provider === undefined ? VENDOR_KEY_VARIABLES : [variableOf(provider), ANY_KEY_VARIABLE];
  throw new EngineError("config.missing_api_key", { engine: name, variables });
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
