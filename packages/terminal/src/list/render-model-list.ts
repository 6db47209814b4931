import { renderTable } from "../text/render-table.ts";

/** One model of a list. Prices are in US dollars per million tokens. */
export interface ModelRow {
  /** Model reference, such as `provider/name`. */
  readonly model: string;
  /** Maximum tokens of input and output together; `undefined` if unknown. */
  readonly context_window?: number | undefined;
  /** Maximum tokens of one response; `undefined` if unknown. */
  readonly max_output?: number | undefined;
  /** List prices, with the date on which they were checked; `undefined` if unknown. */
  readonly prices?:
    | {
        readonly input?: number | undefined;
        readonly output?: number | undefined;
        readonly cache_read?: number | undefined;
        readonly as_of?: string | undefined;
      }
    | undefined;
  /** Whether the model is the default of its provider. */
  readonly is_default: boolean;
  /** Whether the model is in the catalog. */
  readonly is_known: boolean;
  /** Whether the provider's API lists the model. `undefined` if the API was not asked. */
  readonly is_offered?: boolean | undefined;
}

/** Renders a list of models with limits and prices as lines of an aligned table. `*` marks default models. */
export function renderModelList(models: readonly ModelRow[]): string[] {
  return renderTable(
    models.map((model) => [
      `${model.is_default ? "*" : " "} ${model.model}`,
      `context ${tokens(model.context_window)}`,
      `output ${tokens(model.max_output)}`,
      priceOf(model),
      availabilityOf(model),
    ]),
  );
}

function tokens(count: number | undefined): string {
  return count === undefined ? "?" : count.toLocaleString("en-US");
}

function dollars(amount: number | undefined): string {
  return amount === undefined ? "?" : `$${amount}`;
}

function priceOf({ prices }: ModelRow): string {
  if (prices === undefined) return "price unknown";
  const read = prices.cache_read === undefined ? "" : `, ${dollars(prices.cache_read)} cached`;
  return `${dollars(prices.input)} in${read}, ${dollars(prices.output)} out (${prices.as_of ?? "undated"})`;
}

function availabilityOf({ is_known, is_offered }: ModelRow): string {
  if (is_offered === undefined) return "";
  if (!is_known) return "available, not in the catalog";
  return is_offered ? "available" : "not available";
}
