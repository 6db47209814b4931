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
  DEPENDENCY,
  type Engine,
  EngineError,
  type ModelCallRecorder,
  type RetryOptions,
  type Run,
  SESSION_INPUT,
} from "@switchyard/contracts";
import type { CostOptions } from "@switchyard/llm";
import type { McpServers, McpSignIns } from "@switchyard/mcp";
import { isSecret, type Secret, secret } from "@switchyard/secrets";
import type { WebSearchBackend } from "@switchyard/web";
import { isRecord } from "../input/is-record.ts";
import type { LoadedSkills } from "../skills/load-skills.ts";
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

/** What the built-in agent is made of. */
export interface AgentEngineConfig {
  /** Model reference, `provider/name`; by default the default model of the first provider with a key. */
  model?: string | undefined;
  /**
   * Model references that are called, in order, when the model fails in a way that another one may not: after two retries
   * of the turn, at once where retrying is useless. The run stays with a fallback that responds. Default: none.
   */
  fallbackModels?: readonly string[] | undefined;
  /** Where keys are looked for, `process.env` as a rule; nowhere by default. */
  env?: EnvironmentRecord | undefined;
  /** Key of the model's provider; from the environment by default. */
  apiKey?: string | Secret | undefined;
  /** Address of the model's provider, used as it is, version prefix included. */
  baseUrl?: string | undefined;
  /** Sent with every request to the provider. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Makes the HTTP requests; the global `fetch` by default. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Reaches models in place of the provider, for replays and tests. */
  client?: Client | undefined;
  /**
   * How the client retries single calls; not at all by default, as turns are retried. A failure that it has retried to
   * its end is not retried by the turn. `false` switches off the retries of turns as well, unless `turnRetry` is given.
   */
  retry?: RetryOptions | false | undefined;
  /**
   * How turns are retried whose model call failed, also in the middle of a response; ten minutes in total by default
   * (`RETRY_DEFAULTS.turn`), `false` for never. The input's `retry_for_seconds` replaces the total.
   */
  turnRetry?: RetryOptions | false | undefined;
  /** Prices of one's own, by `provider/model` or model id; list prices otherwise. A `client` keeps what it says. */
  prices?: CostOptions["prices"];
  /** `low`, `medium`, `high` or what the provider offers beyond. */
  reasoningEffort?: string | undefined;
  /** Most answers of the model in a session; 0 means no limit. */
  maxTurns?: number | undefined;
  /** Further limits and settings of the agent loop. */
  config?: Partial<SessionConfig> | undefined;
  /** Deviations from the profile of the model's family. */
  profile?: Partial<ProfileOptions> | undefined;
  /** Whether the agent may fetch pages of the public web, with the tool `web_fetch`; not by default. */
  web?: boolean | undefined;
  /** Who searches the web for the agent, with the tool `web_search`; nobody by default. */
  webSearch?: WebSearchBackend | undefined;
  /** The user's own instructions: the last layer of the system prompt. */
  instructions?: string | undefined;
  /**
   * Decides about each tool call before it runs: rules, whose questions whoever answers for the run is asked, or a
   * function. All calls run without it.
   */
  approval?: ApprovalPolicy | ApproveToolCall | undefined;
  /** Looks at model and tool calls, and may change them. */
  hooks?: SessionHooks | undefined;
  /** Whether the agent is offered the tool `ask_user`; not by default. Set it where somebody answers for the run. */
  askUser?: boolean | undefined;
  /** Skills and custom commands in folders of the workspace, where it is trusted, and of the user; none by default. */
  skills?: AgentSkillsConfig | undefined;
  /**
   * Summarises conversations that grow too long: `summary` for `createSummaryCompaction` as it is by default, or a strategy of
   * your own; none is summarised without it.
   */
  compaction?: CompactionStrategy | "summary" | undefined;
  /**
   * MCP servers by name, whose tools the agent is offered as `server__tool`: each run has servers of its own, which end
   * with it. References in their configurations are resolved from `env`. Servers that a workspace names are only passed
   * where somebody who may trusts it. architecture: decision 20.
   */
  mcpServers?: McpServers | undefined;
  /**
   * Maximum time that a run waits for its MCP servers before it starts, in milliseconds. Tools of a server that is late
   * are offered when it is ready, and a warning names it. Default: 30,000; 0 does not wait.
   */
  mcpStartWaitMs?: number | undefined;
  /** Sign-ins to MCP servers over HTTP, which runs use and refresh; a server that wants one is left out without. */
  mcpSignIns?: McpSignIns | undefined;
  /** Name in messages and results; `agent` by default. */
  name?: string | undefined;
}

/** What most models on servers of one's own take. */
const UNKNOWN_CONTEXT_TOKENS = 32_768;

/** The built-in agent, ready to run sessions. */
export interface AgentEngine extends Engine, AsyncDisposable {
  /** Model reference that sessions use which name none. */
  readonly model: string;
  /** Keys it may use; sessions mask them. */
  readonly secrets: readonly Secret[];
}

/**
 * Opens the built-in agent: a client, the profile of the model's family, the loop. A session that names
 * another model in its input gets that one. Rejects with `model.invalid_name`, `model.unknown_provider`,
 * `model.missing_key`, `model.missing_address`, `model.not_configured` or `config.invalid`, before anything runs.
 */
export async function openAgentEngine(options: AgentEngineConfig): Promise<AgentEngine> {
  const [agent, llm] = await Promise.all([import("@switchyard/agent"), import("@switchyard/llm")]);
  const { name = "agent", env = {} } = options;
  const chosen = choose(options.model);
  const clients = new Map<string, Client>();
  const fallbacks = (options.fallbackModels ?? []).map((reference) => llm.parseModelReference(reference));
  for (const { provider } of [chosen, ...fallbacks]) clientOf(provider);

  function choose(reference: string | undefined): ModelChoice {
    return reference === undefined ? defaultChoice(env, llm) : llm.parseModelReference(reference);
  }
  function clientOf(provider: string): Client {
    if (options.client !== undefined) return options.client;
    // Key, address and headers that were given are those of the model's own provider.
    const isFallback = provider !== chosen.provider && fallbacks.some((fallback) => fallback.provider === provider);
    const own = isFallback ? { ...options, apiKey: undefined, baseUrl: undefined, headers: undefined } : options;
    const client = clients.get(provider) ?? createPricedClient(provider, own, llm);
    clients.set(provider, client);
    return client;
  }
  function engineFor(choice: ModelChoice, client: Client, loaded?: LoadedSkills): Engine {
    const { provider, model } = choice;
    assertProvider(provider);
    const family = familyOf(choice);
    const { config, maxTurns, instructions, approval, hooks, askUser, retry } = options;
    const compaction = options.compaction === "summary" ? agent.createSummaryCompaction() : options.compaction;
    const limits = { ...(maxTurns === undefined ? {} : { maxTurns }), ...effortOf(options) };
    const retrying = withRetries(client, retry, llm);
    const context = provider === family ? {} : { contextWindowTokens: sizeOf(model, llm) };
    const profile = agent.createProfile(family, { ...context, ...webOf(options), provider, ...options.profile, model });
    return agent.createAgentEngine({
      ...{
        client: retrying,
        turnRetry: turnRetryOf(options),
        fallbackModels: fallbacks,
        profile,
        config: { ...config, ...limits },
      },
      ...{ instructions, name },
      ...{ approval, hooks, askUser, compaction, ...loaded },
    });
  }
  /** A session may name another model than the engine's own. */
  function choiceFor(input: unknown): ModelChoice {
    const asked = isRecord(input) ? input["model"] : undefined;
    return typeof asked === "string" ? choose(asked) : chosen;
  }
  const running = new Set<Engine>();
  const base = engineFor(chosen, clientOf(chosen.provider));
  return {
    ...base,
    model: `${chosen.provider}/${chosen.model}`,
    secrets: [...keysOf(options), ...(await mcpSecretsOf(options))],
    execute: async (run, host, board) => {
      const choice = choiceFor(board.get(SESSION_INPUT));
      const own = clientOf(choice.provider);
      const client = await recorded(fallbacks.length === 0 ? own : routeByProvider(clientOf, choice.provider), run);
      const loaded = options.skills === undefined ? undefined : await skillsOfRun(options.skills, run);
      const engine = engineFor(choice, client, loaded);
      running.add(engine);
      try {
        return await withMcpServers(mcpOf(options), run, (equipped) => engine.execute(equipped, host, board));
      } finally {
        running.delete(engine);
      }
    },
    canResume: (checkpoint) => {
      const choice = choiceFor(checkpoint.board.vars[SESSION_INPUT.name]);
      engineFor(choice, clientOf(choice.provider)).canResume?.(checkpoint);
    },
    suggestCheckpoint: () => {
      for (const engine of running) engine.suggestCheckpoint?.();
    },
    [Symbol.asyncDispose]: async () => {
      for (const client of clients.values()) await client.close();
    },
  };
}

type Llm = typeof import("@switchyard/llm");

/** The default model of the first provider whose key is set. Throws `model.not_configured`. */
function defaultChoice(env: EnvironmentRecord, llm: Llm): ModelChoice {
  const provider = defaultProvider(env);
  const model = llm.getDefaultModel(provider)?.id;
  if (model === undefined) throw new EngineError("model.not_configured", { variables: [provider] });
  return { provider, model };
}

/** A family's own size is a guess too far for a model that only behaves like it. */
function sizeOf(model: string, llm: Llm): number {
  return llm.getModelInfo(model.slice(model.lastIndexOf("/") + 1))?.contextWindow ?? UNKNOWN_CONTEXT_TOKENS;
}

/** A client that retries calls as configured. */
function withRetries(client: Client, retry: AgentEngineConfig["retry"], llm: Llm): Client {
  // Also without retries of its own it lowers a `maxTokens` that the model does not allow.
  return retry === false ? client : llm.withRetry(client, retry ?? { retries: 0 });
}

/** With fallback models a turn is retried also after the calls of each of them were retried to their end. */
function turnRetryOf({ turnRetry, retry, fallbackModels = [] }: AgentEngineConfig): RetryOptions | false | undefined {
  if (turnRetry === false || (turnRetry === undefined && retry === false)) return false;
  return fallbackModels.length === 0 ? turnRetry : { retriesExhausted: true, ...turnRetry };
}

function effortOf({ reasoningEffort }: AgentEngineConfig): Pick<Partial<SessionConfig>, "reasoningEffort"> {
  return reasoningEffort === undefined ? {} : { reasoningEffort };
}

/** A word that nobody knows would fail each model call. */
function assertEffort(effort: string | undefined, known: readonly string[] | undefined): void {
  if (effort === undefined || known === undefined || known.includes(effort)) return;
  throw new EngineError("config.invalid", {
    field: "reasoning effort",
    problem: `${effort} is none of ${known.join(", ")}`,
  });
}

/** Its answers say what they cost, where prices are known. */
export function createPricedClient(
  provider: string,
  options: AgentEngineConfig,
  llm: typeof import("@switchyard/llm"),
): Client {
  assertEffort(options.reasoningEffort, llm.knownReasoningEfforts(provider));
  return llm.withCost(createProviderClient(provider, options, llm), { prices: options.prices });
}

/** A key that is given wins over the environment's. */
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

/** The web, as far as the agent may use it. */
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

function mcpOf({ mcpServers: servers, env = {}, mcpSignIns, mcpStartWaitMs }: AgentEngineConfig): AgentMcpServers {
  return { servers, env, signIns: mcpSignIns, startWaitMs: mcpStartWaitMs };
}

/** What the configurations of MCP servers hold that must not be shown. */
async function mcpSecretsOf({ mcpServers, env, mcpSignIns: signIns }: AgentEngineConfig): Promise<Secret[]> {
  if (mcpServers === undefined) return [];
  const { mcpSecrets, mcpSignInSecrets } = await import("@switchyard/mcp");
  const kept = signIns === undefined ? [] : await mcpSignInSecrets(mcpServers, { env, signIns });
  return [...mcpSecrets(mcpServers, env), ...kept];
}

function requireKey(provider: string, env: EnvironmentRecord, client: Client): Client {
  if (!needsKey(provider) || findKey(env, provider) !== undefined) return client;
  throw new EngineError("model.missing_key", { provider, variable: KEY_VARIABLES[provider]?.join(" or ") });
}

/** Records the calls of a run where its host takes a recording. */
async function recorded(client: Client, run: Run): Promise<Client> {
  const recorder = run.deps.get(DEPENDENCY.llmRecorder);
  if (!isRecorder(recorder)) return client;
  const { withRecorder } = await import("@switchyard/llm/cassette");
  return withRecorder(client, { write: (line) => recorder.write(line), masker: recorder });
}

function isRecorder(value: unknown): value is ModelCallRecorder {
  return isRecord(value) && typeof value["write"] === "function" && typeof value["maskData"] === "function";
}
