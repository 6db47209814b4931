import type { ExecutionEnvironment, ModelApi, RetryOptions, SharedModelBudget, Usage } from "@switchyard/contracts";
import type { ProxySettings } from "@switchyard/llm";
import type { CostOptions } from "@switchyard/llm/usage";
import type { Masker, Secret } from "@switchyard/secrets";
import type { ModelGatewayEvent } from "./gateway-event.ts";
import type { ModelGatewayLimits } from "./gateway-limits.ts";
import type { ReplayOptions } from "./recording/replay.ts";

/** A model provider to which the gateway forwards requests. */
export interface ModelUpstream {
  /** API key. It is sent to the provider only. `undefined` for a server without keys. */
  readonly apiKey?: Secret | undefined;
  /**
   * Base URL including the version prefix, such as `https://api.example.com/v1`. Default for `anthropic`, `openai` and
   * `gemini`: the address of that provider. Required for other providers.
   */
  readonly baseUrl?: string | undefined;
  /**
   * Wire formats that the provider offers. Default for `anthropic`, `openai` and `gemini`: all wire formats of that
   * provider. Required for other providers.
   */
  readonly apis?: readonly ModelApi[] | undefined;
  /** Additional headers of each request to the provider, such as `openai-organization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options for {@link createModelGateway}. */
export interface ModelGatewayOptions extends Pick<CostOptions, "prices" | "listPrices"> {
  /** Providers by name. If several offer the API of a request, the first one that the run may use gets the request. */
  readonly upstreams: Readonly<Record<string, ModelUpstream>>;
  /** Proxies for connections to providers. `undefined`: direct connections. */
  readonly proxy?: ProxySettings | undefined;
  /**
   * Retries of requests that failed before the first byte of their response. Default: as for model calls, 2 retries.
   * See `RETRY_DEFAULTS.call`.
   */
  readonly retry?: RetryOptions | undefined;
  /** Limits of the calls of each run. */
  readonly limits?: Partial<ModelGatewayLimits> | undefined;
  /** Masks known secrets in recordings, in addition to API keys and tokens. */
  readonly masker?: Pick<Masker, "mask"> | undefined;
  /** Receives the events of all runs. Must not throw. */
  readonly onEvent?: ((event: ModelGatewayEvent) => void) | undefined;
  /** Returns the time in milliseconds since 1970, to find valid prices. Default: the system time. */
  readonly now?: (() => number) | undefined;
}

/** Limits of what a run may use. Absent limits do not apply. */
export interface ModelBudget {
  /** Maximum number of model calls. */
  readonly calls?: number | undefined;
  /** Maximum number of input and output tokens. */
  readonly tokens?: number | undefined;
  /** Maximum cost, in millionths of a US dollar. Calls of models without a known price are then refused. */
  readonly costMicros?: number | undefined;
}

/** Options for recording the calls of a run. */
export interface RecordOptions {
  /** Receives each line of the recording, header first, without line ends. */
  readonly write: (line: string) => void;
  /** Description of the recording, one sentence. Default: "Recorded model calls". */
  readonly description?: string | undefined;
}

/** Options for {@link ModelGateway.openRun}. */
export interface GatewayRunOptions {
  /** Id of the run, for events. */
  readonly runId: string;
  /**
   * Models that the run may use: `model`, or `provider/model` for the model of one provider. A trailing `*` stands for
   * any ending. `undefined`: all models.
   */
  readonly models?: readonly string[] | undefined;
  /**
   * Models that replace a model if it fails, in order. The key is the name of the model that failed, or `*` for models
   * without a key of their own. A fallback must have the same API; others are not used. The run continues with a
   * fallback until that fails too. Fallbacks need not be in `models`.
   */
  readonly fallbacks?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Limits of what the run may use. `undefined`: no limits. */
  readonly budget?: ModelBudget | undefined;
  /** Budget that the run shares with other runs. `undefined`: none. */
  readonly sharedBudget?: SharedModelBudget | undefined;
  /**
   * Environment in which the engine runs. The base URL is then an address inside this environment. Processes of other
   * environments cannot reach the address, unless they share the loopback interface. Pass the environment after it was
   * opened and before the engine starts. The address exists until `close` is called or the environment is closed. Not
   * allowed together with `socketPath`. `undefined`: the engine runs on this machine.
   */
  readonly environment?: ExecutionEnvironment | undefined;
  /** Path of a Unix socket to listen on. `undefined`: a free port of the loopback interface. */
  readonly socketPath?: string | undefined;
  /** Permissions of the Unix socket. Default: 0o600. */
  readonly socketMode?: number | undefined;
  /** Time after which the token expires, in milliseconds. `undefined`: when the run is closed. */
  readonly expiresAfterMs?: number | undefined;
  /** Records the calls. `undefined`: no recording. */
  readonly record?: RecordOptions | undefined;
  /** Responds from a recording. The gateway then sends nothing to providers. `undefined`: no replay. */
  readonly replay?: ReplayOptions | undefined;
  /**
   * Masks secrets of the run in its recording, and in requests before a replay compares them. Applied in addition to
   * the masker of the gateway.
   */
  readonly masker?: Pick<Masker, "mask"> | undefined;
  /** Receives the events of the run. Must not throw. */
  readonly onEvent?: ((event: ModelGatewayEvent) => void) | undefined;
}

/** What a run has used. */
export interface GatewayUsage {
  /** Number of model calls, including those that failed, but not those that a budget refused. */
  readonly calls: number;
  /** Sum of the usage of all calls that have ended. */
  readonly usage: Usage;
}

/** A run that calls models through the gateway: its address, its token and its usage. */
export interface GatewayRun extends AsyncDisposable {
  /** Id of the run. */
  readonly runId: string;
  /**
   * Address without a path, such as `http://127.0.0.1:41234`, in the environment of the run. Clients of OpenAI's APIs
   * need the suffix `/v1`; those of Anthropic and Gemini add the version themselves. With `socketPath`:
   * `http://localhost`.
   */
  readonly baseUrl: string;
  /** Path of the Unix socket on this machine. `undefined` if the gateway does not listen on one. */
  readonly socketPath: string | undefined;
  /** Token that engines send as API key. It is valid only for this run and this address. */
  readonly token: Secret;
  /** Returns what the run has used so far. */
  used(): GatewayUsage;
  /**
   * Throws `cassette.*` if a request differed from the recording, or if recorded calls were not requested. Does nothing
   * without a replay.
   */
  assertReplayed(): void;
  /** Ends the calls in progress, closes the address, and invalidates the token. */
  close(): Promise<void>;
}

/** Proxy between the engines of runs and model providers. */
export interface ModelGateway extends AsyncDisposable {
  /**
   * Opens an address and creates a token with which a run calls models. Rejects with `config.invalid`, and with
   * `environment.unavailable` if processes of the environment cannot reach this gateway.
   */
  openRun(options: GatewayRunOptions): Promise<GatewayRun>;
  /** Closes all runs and the connections to providers. */
  close(): Promise<void>;
}
