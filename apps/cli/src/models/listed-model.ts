import type { ModelInfo, OfferedModel } from "@switchyard/llm";

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
  /** Whether it is the default model for the provider. */
  readonly is_default: boolean;
  /** Whether it is in the catalog. */
  readonly is_known: boolean;
  /** Whether the provider lists it; `undefined` if the provider was not asked. */
  readonly is_offered?: boolean | undefined;
}

interface ListedPrices {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly cache_read?: number | undefined;
  readonly cache_write?: number | undefined;
  readonly as_of?: string | undefined;
  readonly source?: string | undefined;
}

/** Parts of the model package that listing needs. */
export type Catalog = Pick<
  typeof import("@switchyard/llm"),
  "getModelInfo" | "listModels" | "getDefaultModel" | "pricesAt"
>;

/** Models of one provider. */
export interface ProviderModels {
  /** Name of the provider. */
  readonly provider: string;
  /** Models that the provider lists. `undefined` if it was not asked or did not respond. */
  readonly offered: readonly OfferedModel[] | undefined;
  /** Current time in milliseconds, because some prices expire. */
  readonly nowMs: number;
}

function pricesOf({ prices }: ModelInfo, { pricesAt }: Catalog, nowMs: number): ListedPrices | undefined {
  const current = prices === undefined ? undefined : pricesAt(prices, nowMs);
  if (current === undefined) return undefined;
  const { input, output, cacheRead, cacheWrite, asOf, source } = current;
  return { input, output, cache_read: cacheRead, cache_write: cacheWrite, as_of: asOf, source };
}

/** Returns known models in catalog order, then models that only the provider lists. */
export function listedModels({ provider, offered, nowMs }: ProviderModels, catalog: Catalog): readonly ListedModel[] {
  const chosen = catalog.getDefaultModel(provider)?.id;
  const ids = new Set(offered?.map(({ id }) => id));
  const infos = catalog.listModels({ provider });
  const known = infos.map((info): ListedModel => {
    const { id, displayName: name, contextWindow: context_window, maxOutput: max_output } = info;
    const isOffered =
      offered === undefined ? {} : { is_offered: [...ids].some((one) => catalog.getModelInfo(one) === info) };
    const prices = pricesOf(info, catalog, nowMs);
    const facts = { model: `${provider}/${id}`, name, context_window, max_output, prices };
    return { provider, ...facts, is_default: id === chosen, is_known: true, ...isOffered };
  });
  const others = (offered ?? []).filter(({ id }) => !infos.some((info) => info === catalog.getModelInfo(id)));
  return [
    ...known,
    ...others.map(({ id, displayName: name, contextWindow: context_window, maxOutput: max_output }): ListedModel => {
      const facts = { model: `${provider}/${id}`, name, context_window, max_output };
      return { provider, ...facts, is_default: false, is_known: false, is_offered: true };
    }),
  ];
}
