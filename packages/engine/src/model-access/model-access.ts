import type { ExecutionEnvironment, Host, ModelApi, ModelRoute, Run, Usage } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";

export type { ModelRoute } from "@switchyard/contracts";

/**
 * Gives one run access to models: a base URL and a token. The gateway in `@switchyard/gateway` is one implementation.
 */
export interface ModelAccess {
  /**
   * Base URL without a path, such as `http://127.0.0.1:41234`. The environment of the run can reach this URL. Clients
   * of OpenAI's APIs need the suffix `/v1`, which {@link modelBaseUrl} adds.
   */
  readonly baseUrl: string;
  /** Base URLs by wire format, for formats whose clients need another URL than {@link modelBaseUrl} returns by default. */
  readonly baseUrls?: Readonly<Partial<Record<ModelApi, string>>> | undefined;
  /** Token that the engine sends as API key. It is valid only for this run. */
  readonly token: Secret;
  /**
   * True if the host measures the tokens and costs of the run's model calls itself. The engine then calls `reportUsage`
   * and publishes `usage_reported` only for usage that the host did not measure, see {@link findUnmeasuredUsage}.
   * Default: false.
   */
  readonly measuresUsage?: boolean | undefined;
  /**
   * Returns the usage that the host has measured so far. After `close`, this is the usage of all calls. If the engine
   * reports more, it called models at another address. `undefined` if this usage is not known.
   */
  readonly measuredUsage?: (() => Usage) | undefined;
  /**
   * Aborts when the run may make no further model call, for example because its budget is used up. The reason is an
   * `EngineError`. The engine then ends its work and rejects with the reason. `undefined` if this never happens.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Ends the run's access to models: ends calls in progress and invalidates the token. Can be called more than once.
   */
  close(): Promise<void>;
}

/** Run for which an engine requests access to models. */
export interface ModelAccessRequest {
  /** The run. */
  readonly run: Run;
  /**
   * Host of the run. The provider of the model access, such as the gateway, reports events and the usage of model calls
   * to this host.
   */
  readonly host: Host;
  /**
   * Environment in which the engine runs. Processes in it must be able to reach `ModelAccess.baseUrl`. `undefined` for
   * an engine that runs directly on this machine.
   */
  readonly environment?: ExecutionEnvironment | undefined;
  /** Destination of the engine's model calls. `undefined` if the engine can use any provider and wire format. */
  readonly route?: ModelRoute | undefined;
  /**
   * The model that the engine was told to use: `provider/name`, or a name. The host may refuse other models.
   * `undefined` if the engine selects models itself.
   */
  readonly model?: string | undefined;
}

/**
 * Gives a run access to models. Resolves with `undefined` if the run must call models directly, for example because the
 * host has no API key for the provider. Rejects with `gateway.unreachable` if the environment of the run cannot reach
 * the base URL. The engine then does not start.
 */
export type OpenModelAccess = (request: ModelAccessRequest) => Promise<ModelAccess | undefined>;

/** Returns the base URL for clients of a wire format: with the suffix `/v1` for OpenAI's APIs, without a path otherwise. */
export function modelBaseUrl({ baseUrl, baseUrls }: Pick<ModelAccess, "baseUrl" | "baseUrls">, api: ModelApi): string {
  const isOpenAi = api === "openai-responses" || api === "openai-chat";
  return baseUrls?.[api] ?? (isOpenAi ? `${baseUrl}/v1` : baseUrl);
}
