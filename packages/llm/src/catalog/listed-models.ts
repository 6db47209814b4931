import { pricesAt } from "../cost/cost-of-usage.ts";
import type { OfferedModel } from "../model-list/model-list.ts";
import { getModelInfo } from "./get-model-info.ts";
import { getDefaultModel, listModels } from "./list-models.ts";
import type { ModelInfo } from "./model-info.ts";

/** A model as it is listed, from the catalog, from its provider, or both. */
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
  /** Whether it is the provider's default model in the catalog. */
  readonly is_default: boolean;
  /** Whether it is in the catalog. */
  readonly is_known: boolean;
  /** Whether the provider lists it. `undefined` if the provider was not asked. */
  readonly is_offered?: boolean | undefined;
}

/** Prices of a listed model, in US dollars per million tokens. */
export interface ListedPrices {
  /** Input. */
  readonly input?: number | undefined;
  /** Output. */
  readonly output?: number | undefined;
  /** Input that is read from the provider's cache. */
  readonly cache_read?: number | undefined;
  /** Input that is written to the provider's cache. */
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
  /** Models that the provider lists; `undefined` if it was not asked or did not respond. */
  readonly offered: readonly OfferedModel[] | undefined;
  /** Time in milliseconds, for prices that end on a day. */
  readonly nowMs: number;
}

function pricesOf({ prices }: ModelInfo, nowMs: number): ListedPrices | undefined {
  const current = prices === undefined ? undefined : pricesAt(prices, nowMs);
  if (current === undefined) return undefined;
  const { input, output, cacheRead, cacheWrite, asOf, source } = current;
  return { input, output, cache_read: cacheRead, cache_write: cacheWrite, as_of: asOf, source };
}

/** Lists the known models of a provider in the catalog's order, then those that only the provider lists. */
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
