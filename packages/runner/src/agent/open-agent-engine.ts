import type {
  ApprovalPolicy,
  ApproveToolCall,
  CompactionStrategy,
  ProfileOptions,
  SessionConfig,
  SessionHooks,
} from "@switchyard/agent";
import {
  type Client,
  type Engine,
  EngineError,
  type RetryOptions,
  type Run,
  SESSION_INPUT,
} from "@switchyard/contracts";
import type { CostOptions } from "@switchyard/llm";
import type { McpLogins, McpPool, McpServers } from "@switchyard/mcp";
import { isSecret, type Secret, secret } from "@switchyard/secrets";
import type { WebSearchBackend } from "@switchyard/web";
import { isRecord } from "../input/is-record.ts";
import { recorderOf } from "../model-access/recorder-of.ts";
import type { LoadedSkills } from "../skills/load-skills.ts";
import { budgetedClient } from "./budgeted-client.ts";
import { lazyWebFetcher } from "./lazy-web-fetcher.ts";
import { lazyWebSearcher } from "./lazy-web-searcher.ts";
import { type AgentMcpServers, withMcpServers } from "./mcp-for-run.ts";
import {
  assertProvider,
  defaultProvider,
  type EnvironmentRecord,
  familyOf,
  findKey,
  KEY_VARIABLES,
  type ModelChoice,
  needsKey,
} from "./model-choice.ts";
import { routeByProvider } from "./route-by-provider.ts";
import { type AgentSkillsConfig, skillsOfRun } from "./skills-of-run.ts";

/** Options for `openAgentEngine`. */
export interface AgentEngineConfig {
  /** Model reference, `provider/name`. Default: the default model of the first provider with a key. */
  model?: string | undefined;
  /**
   * Fallback model references, in order. A fallback is called after two retries of the turn, or immediately if a retry
   * cannot succeed. The rest of the run uses the fallback that responds. Default: none.
   */
  fallbackModels?: readonly string[] | undefined;
  /** Environment variables in which keys are looked up, usually `process.env`. Default: none. */
  env?: EnvironmentRecord | undefined;
  /** API key of the model's provider. Default: read from `env`. */
  apiKey?: string | Secret | undefined;
  /** Base URL of the model's provider, including the version prefix. */
  baseUrl?: string | undefined;
  /** Headers sent with every request to the provider. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Function that sends HTTP requests. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Model client to use instead of the provider's client, for replays and tests. */
  client?: Client | undefined;
  /**
   * Retries of single model calls by the client. Default: none, because the agent retries whole turns. If the client
   * has exhausted its retries of a call, the agent does not retry the turn. `false` also disables retries of turns,
   * unless `turnRetry` is given.
   */
  retry?: RetryOptions | false | undefined;
  /**
   * Automatic retries of turns whose model call failed, even if part of the response had arrived. Default: retries for
   * ten minutes in total (`RETRY_DEFAULTS.turn`); `false`: none. The input's `retry_for_seconds` overrides the total.
   */
  turnRetry?: RetryOptions | false | undefined;
  /**
   * Custom prices, by `provider/model` or model id. Default: list prices. Costs that a `client` reports are not
   * recomputed.
   */
  prices?: CostOptions["prices"];
  /** `low`, `medium`, `high`, or another value that the provider accepts. */
  reasoningEffort?: string | undefined;
  /** Maximum number of model responses in a session. 0: no limit. */
  maxTurns?: number | undefined;
  /** Further limits and settings of the agent loop. */
  config?: Partial<SessionConfig> | undefined;
  /** Overrides for the profile (system prompt and tools) that the model's family determines. */
  profile?: Partial<ProfileOptions> | undefined;
  /** Whether the agent may fetch public web pages with the tool `web_fetch`. Default: `false`. */
  web?: boolean | undefined;
  /** Backend of the tool `web_search`. Default: no web search. */
  webSearch?: WebSearchBackend | undefined;
  /** The user's own instructions, the last layer of the system prompt. */
  instructions?: string | undefined;
  /**
   * Approves or denies each tool call before it runs: a policy, whose questions are sent to the user of the run, or a
   * function. Default: all calls run.
   */
  approval?: ApprovalPolicy | ApproveToolCall | undefined;
  /** Hooks that observe and may change model and tool calls. */
  hooks?: SessionHooks | undefined;
  /**
   * Whether the agent has the tool `ask_user`. Default: `false`. Set to `true` only if a user answers the run's
   * questions.
   */
  askUser?: boolean | undefined;
  /** Skills and custom commands of the user, and of the workspace if it is trusted. Default: none. */
  skills?: AgentSkillsConfig | undefined;
  /**
   * Compaction of conversations that grow too long: a strategy, or `summary` for `createSummaryCompaction` with its
   * defaults. Default: none.
   */
  compaction?: CompactionStrategy | "summary" | undefined;
  /**
   * MCP servers by name, whose tools are offered as `server__tool`. Each run starts its own servers and stops them at
   * its end. References in their configurations are resolved from `env`. If a workspace's configuration names servers,
   * pass them only if the user trusts the workspace. See architecture: decision 20.
   */
  mcpServers?: McpServers | undefined;
  /**
   * Maximum time that a run waits for its MCP servers before the agent starts, in milliseconds. The tools of a late
   * server are added when it is ready, and a warning names it. Default: 30,000; 0 does not wait.
   */
  mcpStartWaitMs?: number | undefined;
  /**
   * Stored logins for MCP servers over HTTP, which runs use and refresh. Without a login, a server that requires one is
   * skipped.
   */
  mcpLogins?: McpLogins | undefined;
  /**
   * Pool that keeps MCP servers open over several runs, such as the turns of a conversation. Default: each run starts its
   * own servers and stops them at its end.
   */
  mcpPool?: McpPool | undefined;
  /** Name of the agent in messages and results. Default: `agent`. */
  name?: string | undefined;
}

/** Context size assumed for unknown models, in tokens. Most self-hosted models support it. */
const UNKNOWN_CONTEXT_TOKENS = 32_768;

/** Built-in agent, ready to run sessions. */
export interface AgentEngine extends Engine, AsyncDisposable {
  /** Model reference for sessions that name no model. */
  readonly model: string;
  /** API keys that the agent may use. Sessions redact these keys. */
  readonly secrets: readonly Secret[];
}

/**
 * Opens the built-in agent: creates the model client, selects the system prompt and tools for the model, and creates
 * the agent loop. A session can name another model in its input. Rejects with `model.invalid_name`,
 * `model.unknown_provider`, `model.missing_key`, `model.missing_address`, `model.not_configured` or `config.invalid`
 * before any request is sent.
 */
export async function openAgentEngine(options: AgentEngineConfig): Promise<AgentEngine> {
  const [agent, llm] = await Promise.all([import("@switchyard/agent"), import("@switchyard/llm")]);
  const chosen = chooseModel(options, options.model, llm);
  const fallbacks = (options.fallbackModels ?? []).map((reference) => llm.parseModelReference(reference));
  const clients = new ProviderClients({ options, chosen, fallbacks, llm });
  for (const { provider } of [chosen, ...fallbacks]) clients.of(provider);
  const createLoop = (parts: LoopParts): Engine => createLoopEngine({ options, fallbacks, agent, llm }, parts);
  /** Returns the model that the session's input names. */
  const choiceFor = (input: unknown): ModelChoice => {
    const requested = isRecord(input) ? input["model"] : undefined;
    return typeof requested === "string" ? chooseModel(options, requested, llm) : chosen;
  };
  const running = new Set<Engine>();
  return {
    ...createLoop({ choice: chosen, client: clients.of(chosen.provider) }),
    model: `${chosen.provider}/${chosen.model}`,
    secrets: [...keysOf(options), ...(await mcpSecretsOf(options))],
    execute: async (run, host, board) => {
      const choice = choiceFor(board.get(SESSION_INPUT));
      const first = clients.of(choice.provider);
      const routed = fallbacks.length === 0 ? first : routeByProvider((name) => clients.of(name), choice.provider);
      const client = budgetedClient(await recorded(routed, run), run, { ...options, provider: choice.provider, llm });
      const skills = options.skills === undefined ? undefined : await skillsOfRun(options.skills, run);
      const engine = createLoop({ choice, client, skills });
      running.add(engine);
      try {
        return await withMcpServers(mcpOf(options), run, (equipped) => engine.execute(equipped, host, board));
      } finally {
        running.delete(engine);
      }
    },
    canResume: (checkpoint) => {
      const choice = choiceFor(checkpoint.board.vars[SESSION_INPUT.name]);
      createLoop({ choice, client: clients.of(choice.provider) }).canResume?.(checkpoint);
    },
    suggestCheckpoint: () => {
      for (const engine of running) engine.suggestCheckpoint?.();
    },
    [Symbol.asyncDispose]: () => clients.close(),
  };
}

type Llm = typeof import("@switchyard/llm");

/** Options and models of an engine, with the packages that are loaded when it is opened. */
interface EngineParts {
  readonly options: AgentEngineConfig;
  readonly fallbacks: readonly ModelChoice[];
  readonly agent: typeof import("@switchyard/agent");
  readonly llm: Llm;
}

/** Model, client and skills from which the agent loop of one session is created. */
interface LoopParts {
  readonly choice: ModelChoice;
  readonly client: Client;
  readonly skills?: LoadedSkills | undefined;
}

/** Model clients by provider. They are created when they are needed. */
class ProviderClients {
  readonly #parts: Omit<EngineParts, "agent"> & { readonly chosen: ModelChoice };
  readonly #clients = new Map<string, Client>();

  constructor(parts: Omit<EngineParts, "agent"> & { readonly chosen: ModelChoice }) {
    this.#parts = parts;
  }

  /** Returns the client of a provider. Throws like `createPricedClient`. */
  of(provider: string): Client {
    const { options, chosen, fallbacks, llm } = this.#parts;
    if (options.client !== undefined) return options.client;
    // The given API key, base URL and headers belong to the first model's provider.
    // Fallback models of other providers do not use them.
    const isFallback = provider !== chosen.provider && fallbacks.some((fallback) => fallback.provider === provider);
    const settings = isFallback ? { ...options, apiKey: undefined, baseUrl: undefined, headers: undefined } : options;
    const client = this.#clients.get(provider) ?? createPricedClient(provider, settings, llm);
    this.#clients.set(provider, client);
    return client;
  }

  /** Closes the clients that were created. */
  async close(): Promise<void> {
    for (const client of this.#clients.values()) await client.close();
  }
}

/** Creates the agent loop for one model. */
function createLoopEngine(
  { options, fallbacks, agent, llm }: EngineParts,
  { choice, client, skills }: LoopParts,
): Engine {
  const { provider, model } = choice;
  assertProvider(provider);
  const family = familyOf(choice);
  const { name = "agent", config, maxTurns, instructions, approval, hooks, askUser, retry } = options;
  const compaction = options.compaction === "summary" ? agent.createSummaryCompaction() : options.compaction;
  const limits = { ...(maxTurns === undefined ? {} : { maxTurns }), ...effortOf(options) };
  const retrying = withRetries(client, retry, llm);
  const context = provider === family ? {} : { contextWindowTokens: sizeOf(model, llm) };
  const profile = agent.createProfile(family, { ...context, ...webOf(options), provider, ...options.profile, model });
  return agent.createAgentEngine({
    ...{ client: retrying, turnRetry: turnRetryOf(options), fallbackModels: fallbacks, profile },
    ...{ config: { ...config, ...limits }, instructions, name },
    ...{ approval, hooks, askUser, compaction, ...skills },
  });
}

/** Returns the model that a reference names, by default that of the first provider with a key. */
function chooseModel({ env = {} }: AgentEngineConfig, reference: string | undefined, llm: Llm): ModelChoice {
  return reference === undefined ? defaultChoice(env, llm) : llm.parseModelReference(reference);
}

/** Returns the default model of the first provider whose key is set. Throws `model.not_configured`. */
function defaultChoice(env: EnvironmentRecord, llm: Llm): ModelChoice {
  const provider = defaultProvider(env);
  const model = llm.getDefaultModel(provider)?.id;
  if (model === undefined) throw new EngineError("model.not_configured", { variables: [provider] });
  return { provider, model };
}

/**
 * Returns the context size of a model. Unknown models get a conservative default, because a server can offer any model
 * through a known provider's API.
 */
function sizeOf(model: string, llm: Llm): number {
  return llm.getModelInfo(model.slice(model.lastIndexOf("/") + 1))?.contextWindow ?? UNKNOWN_CONTEXT_TOKENS;
}

/** Returns a client that retries calls as configured. */
function withRetries(client: Client, retry: AgentEngineConfig["retry"], llm: Llm): Client {
  // With zero retries the wrapper is still needed: it lowers a `maxTokens` that exceeds the model's limit.
  return retry === false ? client : llm.withRetry(client, retry ?? { retries: 0 });
}

/**
 * Returns the retry options of a turn. With fallback models, a turn is retried even after the calls of each model have
 * exhausted their retries.
 */
function turnRetryOf({ turnRetry, retry, fallbackModels = [] }: AgentEngineConfig): RetryOptions | false | undefined {
  if (turnRetry === false || (turnRetry === undefined && retry === false)) return false;
  return fallbackModels.length === 0 ? turnRetry : { retriesExhausted: true, ...turnRetry };
}

function effortOf({ reasoningEffort }: AgentEngineConfig): Pick<Partial<SessionConfig>, "reasoningEffort"> {
  return reasoningEffort === undefined ? {} : { reasoningEffort };
}

/** Throws for an unknown effort, which would make every model call fail. */
function assertEffort(effort: string | undefined, known: readonly string[] | undefined): void {
  if (effort === undefined || known === undefined || known.includes(effort)) return;
  throw new EngineError("config.invalid", {
    field: "reasoning effort",
    problem: `${effort} is not one of: ${known.join(", ")}`,
  });
}

/** Creates a client whose responses include their cost, if prices are known. */
export function createPricedClient(
  provider: string,
  options: AgentEngineConfig,
  llm: typeof import("@switchyard/llm"),
): Client {
  assertEffort(options.reasoningEffort, llm.knownReasoningEfforts(provider));
  return llm.withCost(createProviderClient(provider, options, llm), { prices: options.prices });
}

/** Creates the client of a provider. A given key takes precedence over the environment. */
function createProviderClient(
  provider: string,
  options: AgentEngineConfig,
  llm: typeof import("@switchyard/llm"),
): Client {
  assertProvider(provider);
  const { apiKey, baseUrl, headers, fetch } = options;
  const [variable = ""] = KEY_VARIABLES[provider] ?? [];
  const given = apiKey === undefined ? {} : { [variable]: isSecret(apiKey) ? apiKey.reveal() : apiKey };
  const env = { ...options.env, ...given };
  const address = baseUrl ?? env["OPENAI_COMPATIBLE_BASE_URL"]?.trim() ?? "";
  if (provider === "openai-compatible" && address === "") {
    throw new EngineError("model.missing_address", { provider, variable: "OPENAI_COMPATIBLE_BASE_URL" });
  }
  return requireKey(provider, env, llm.clientFromEnv(env, { baseUrls: { [provider]: baseUrl }, headers, fetch }));
}

/** Returns the web tools that the agent may use. */
function webOf({ web, webSearch }: AgentEngineConfig): Pick<ProfileOptions, "webFetcher" | "webSearcher"> {
  return {
    ...(web === true ? { webFetcher: lazyWebFetcher() } : {}),
    ...(webSearch === undefined ? {} : { webSearcher: lazyWebSearcher(webSearch) }),
  };
}

function keysOf({ apiKey, webSearch, env = {} }: AgentEngineConfig): Secret[] {
  const given = apiKey === undefined ? [] : [isSecret(apiKey) ? apiKey : secret(apiKey)];
  const found = Object.keys(KEY_VARIABLES).flatMap((provider) => findKey(env, provider) ?? []);
  const search = webSearch === undefined || webSearch.kind === "searxng" ? [] : [secret(webSearch.apiKey.reveal())];
  return [...given, ...search, ...found.map(({ value }) => secret(value))];
}

function mcpOf({
  mcpServers: servers,
  env = {},
  mcpLogins,
  mcpPool: pool,
  mcpStartWaitMs,
}: AgentEngineConfig): AgentMcpServers {
  return { servers, env, pool, logins: mcpLogins, startWaitMs: mcpStartWaitMs };
}

/** Returns the secrets in the configurations of MCP servers. */
async function mcpSecretsOf({ mcpServers, env, mcpLogins: logins }: AgentEngineConfig): Promise<Secret[]> {
  if (mcpServers === undefined) return [];
  const { mcpSecrets, mcpLoginSecrets } = await import("@switchyard/mcp");
  const storedSecrets = logins === undefined ? [] : await mcpLoginSecrets(mcpServers, { env, logins });
  return [...mcpSecrets(mcpServers, env), ...storedSecrets];
}

function requireKey(provider: string, env: EnvironmentRecord, client: Client): Client {
  if (!needsKey(provider) || findKey(env, provider) !== undefined) return client;
  throw new EngineError("model.missing_key", { provider, variable: KEY_VARIABLES[provider]?.join(" or ") });
}

/** Records the run's model calls if the run's host supports recording. */
async function recorded(client: Client, run: Run): Promise<Client> {
  const recorder = recorderOf(run);
  if (recorder === undefined) return client;
  const { withRecorder } = await import("@switchyard/llm/cassette");
  return withRecorder(client, { write: (line) => recorder.write(line), masker: recorder });
}
