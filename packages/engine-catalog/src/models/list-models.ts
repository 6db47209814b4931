import { EngineError, toEngineError } from "@switchyard/contracts";
import type { ListedModel, OfferedModel } from "@switchyard/llm";
import { findApiKey } from "@switchyard/runner";
import type { SettingsContext } from "@switchyard/settings";
import { credentialsFile } from "../engine/credentials-file.ts";

/**
 * Providers that are contacted if the user names none. The other providers are local servers, which are often not
 * running.
 */
const ASKED_BY_DEFAULT = ["anthropic", "openai", "gemini"];

/** Parts of the host that `listModels` uses: environment variables and home folder, for API keys, and the clock. */
export type ModelListHost = Pick<SettingsContext, "env" | "homeDirectory" | "now">;

/** Options of `listModels`. */
export interface ListModelsOptions {
  /** Provider whose models are listed. Default: Anthropic, OpenAI and Gemini. */
  readonly provider?: string | undefined;
  /** Base URL of the provider's API. */
  readonly baseUrl?: string | undefined;
  /** Whether to ask the providers which models they offer. Default: true. */
  readonly offers?: boolean | undefined;
}

/** Models that are known or that providers offer. */
export interface ModelList {
  /** The models. Known models are listed even if their provider could not be contacted. */
  readonly models: readonly ListedModel[];
  /** Errors of providers that could not be contacted. */
  readonly problems: readonly EngineError[];
}

/**
 * Lists known models, and the models offered by each provider that has an API key. Rejects with
 * `model.unknown_provider`.
 */
export async function listModels(host: ModelListHost, options: ListModelsOptions): Promise<ModelList> {
  const { provider } = options;
  const known = (await import("@switchyard/llm")).knownProviders();
  if (provider !== undefined && !known.includes(provider)) {
    throw new EngineError("model.unknown_provider", { provider, known });
  }
  const providers = provider === undefined ? ASKED_BY_DEFAULT : [provider];
  const answers = await Promise.all(providers.map((name) => answerOf(host, name, options)));
  return {
    models: answers.flatMap((answer) => answer.models),
    problems: answers.flatMap(({ problem }) => problem ?? []),
  };
}

interface Answer {
  readonly models: readonly ListedModel[];
  readonly problem?: EngineError | undefined;
}

async function answerOf(host: ModelListHost, provider: string, options: ListModelsOptions): Promise<Answer> {
  const llm = await import("@switchyard/llm");
  const nowMs = host.now();
  try {
    const offered = options.offers === false ? undefined : await offersOf(host, provider, options);
    return { models: llm.listedModels({ provider, offered, nowMs }) };
  } catch (error) {
    return { models: llm.listedModels({ provider, offered: undefined, nowMs }), problem: toEngineError(error) };
  }
}

/** Lists the models that a provider offers. `undefined` if there is no API key for the provider. */
async function offersOf(
  host: ModelListHost,
  provider: string,
  options: ListModelsOptions,
): Promise<readonly OfferedModel[] | undefined> {
  const { listOfferedModels } = await import("@switchyard/llm");
  // A key that is not specific to a provider is only sent to a provider that the command line names.
  const isNamed = options.provider !== undefined;
  const apiKey = isNamed ? await findApiKey({ provider, env: host.env, file: credentialsFile(host) }) : undefined;
  return listOfferedModels(provider, host.env, { apiKey, baseUrls: { [provider]: options.baseUrl } });
}
