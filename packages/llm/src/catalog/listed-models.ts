import { pricesAt } from "../cost/cost-of-usage.ts";
import type { OfferedModel } from "../model-list/model-list.ts";
import { getModelInfo } from "./get-model-info.ts";
import { getDefaultModel, listModels } from "./list-models.ts";
import type { ModelInfo } from "./model-info.ts";

/** A model in a list of models. Its data comes from the catalog, from the provider's API, or both. */
export interface ListedModel {
  /** Name of the provider. */
  readonly provider: string;
  /** Model reference for `--model`. */
  readonly model: string;
  /** Human-readable name. */
  readonly name?: string | undefined;
  /** Maximum tokens of input and output together. */
  readonly context_window?: number | undefined;
  /** Maximum tokens of one response. */
  readonly max_output?: number | undefined;
  /** Current list prices, in US dollars per million tokens. */
  readonly prices?: ListedPrices | undefined;
  /** Whether the model is the provider's default model in the catalog. */
  readonly is_default: boolean;
  /** Whether the model is in the catalog. */
  readonly is_known: boolean;
  /** Whether the provider's API lists the model. `undefined` if the API was not asked. */
  readonly is_offered?: boolean | undefined;
}

/** Prices of a listed model, in US dollars per million tokens. */
export interface ListedPrices {
  /** Price of input tokens that are not cached. */
  readonly input?: number | undefined;
  /** Price of output tokens. */
  readonly output?: number | undefined;
  /** Price of input tokens that are read from the provider's cache. */
  readonly cache_read?: number | undefined;
  /** Price of input tokens that are written to the provider's cache. */
  readonly cache_write?: number | undefined;
  /** Date of the prices. */
  readonly as_of?: string | undefined;
  /** Page that publishes the prices. */
  readonly source?: string | undefined;
}

/** Options of `listedModels`. */
export interface ProviderModels {
  /** Name of the provider. */
  readonly provider: string;
  /** Models that the provider's API lists. `undefined` if the API was not asked or did not respond. */
  readonly offered: readonly OfferedModel[] | undefined;
  /** Current time, in milliseconds since 1970, to choose among prices that change on a certain day. */
  readonly nowMs: number;
}

function pricesOf({ prices }: ModelInfo, nowMs: number): ListedPrices | undefined {
  const current = prices === undefined ? undefined : pricesAt(prices, nowMs);
  if (current === undefined) return undefined;
  const { input, output, cacheRead, cacheWrite, asOf, source } = current;
  return { input, output, cache_read: cacheRead, cache_write: cacheWrite, as_of: asOf, source };
}

/** Lists a provider's models of the catalog, in catalog order, then models that only the provider's API lists. */
export function listedModels({ provider, offered, nowMs }: ProviderModels): readonly ListedModel[] {
  const chosen = getDefaultModel(provider)?.id;
  const ids = new Set(offered?.map(({ id }) => id));
  const infos = listModels({ provider });
  const known = infos.map((info): ListedModel => {
    const { id, displayName: name, contextWindow: context_window, maxOutput: max_output } = info;
    const isOffered = offered === undefined ? {} : { is_offered: [...ids].some((one) => getModelInfo(one) === info) };
    const prices = pricesOf(info, nowMs);
    const facts = { model: `${provider}/${id}`, name, context_window, max_output, prices };
    return { provider, ...facts, is_default: id === chosen, is_known: true, ...isOffered };
  });
  const others = (offered ?? []).filter(({ id }) => !infos.some((info) => info === getModelInfo(id)));
  return [
    ...known,
    ...others.map(({ id, displayName: name, contextWindow: context_window, maxOutput: max_output }): ListedModel => {
      const facts = { model: `${provider}/${id}`, name, context_window, max_output };
      return { provider, ...facts, is_default: false, is_known: false, is_offered: true };
    }),
  ];
}
