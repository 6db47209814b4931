import type { Usage } from "@switchyard/contracts";
import { type CostOptions, costOfUsage, findPrices, getModelInfo } from "@switchyard/llm/usage";
import type { ModelRequestBody } from "../request/read-model-request.ts";
import type { Amount } from "./run-budget.ts";

/** Maximum number of output tokens that is assumed if neither the request nor the model catalog states one. */
const DEFAULT_OUTPUT_TOKENS = 8_192;
/** Maximum number of output tokens that is reserved for one response of a model that the catalog does not list. */
const MAX_OUTPUT_TOKENS = 131_072;
/** Bytes of JSON per token that are assumed for requests and complete responses. */
const BYTES_PER_TOKEN = 4;
/** Bytes per token that are assumed for streams, whose events repeat names and ids. */
const STREAM_BYTES_PER_TOKEN = 30;
/**
 * Fields of a request that mainly contain content, such as messages. These fields are not searched for settings that
 * affect the price. They can contain one such setting, the lifetime of a cache entry, which `LONG_CACHE` finds.
 */
const CONTENT: ReadonlySet<string> = new Set([
  ...["messages", "system", "tools", "input", "instructions", "contents", "systemInstruction", "metadata"],
  ...["tool_choice", "toolConfig", "text", "response_format", "generationConfig", "output_config"],
]);
/** Matches Anthropic's setting for a cache lifetime of one hour, for which the list price does not apply. */
const LONG_CACHE = /"ttl"\s*:\s*"1h"/;

/** Size of the response that was received. */
interface ResponseSize {
  /** Size, in bytes. */
  readonly bytes: number;
  /** True for a stream of events. */
  readonly isStream: boolean;
}

/** Estimates and prices one model call. */
export interface CallPricing {
  /** Amount to reserve before the call. The cost is 0 if the price is unknown. */
  readonly reserved: Amount;
  /** True if the price of the model with the settings of the request is known. */
  readonly isPriced: boolean;
  /** Returns the usage with its cost, if the price is known. */
  withCost(usage: Usage): Usage;
  /** Returns the assumed usage of a call that reported none, from the size of its response. */
  estimate(response: ResponseSize): Usage;
}

function settingsOf(body: ModelRequestBody): unknown {
  const fields = Object.entries(body.json ?? {}).filter(([name]) => !CONTENT.has(name));
  const isLongCache = body.bytes?.includes('"ttl"') === true && LONG_CACHE.test(body.bytes.toString("latin1"));
  return { ...Object.fromEntries(fields), ...(isLongCache ? { ttl: "1h" } : {}) };
}

/** Creates the estimation and pricing of a call of `provider/model`. */
export function priceCall(
  body: ModelRequestBody,
  { provider, model }: { readonly provider: string; readonly model: string },
  options: CostOptions & { readonly now: () => number },
): CallPricing {
  const info = getModelInfo(model);
  const prices = findPrices({ provider, model, settings: settingsOf(body) }, options);
  const inputTokens = Math.min(
    Math.ceil((body.bytes?.byteLength ?? 0) / BYTES_PER_TOKEN),
    info?.contextWindow ?? Number.POSITIVE_INFINITY,
  );
  const limit = info?.maxOutput ?? MAX_OUTPUT_TOKENS;
  const ofChoice = Math.min(body.maxOutputTokens ?? info?.maxOutput ?? DEFAULT_OUTPUT_TOKENS, limit);
  const maxOutput = ofChoice * body.choices;
  const toUsage = (outputTokens: number): Usage => {
    return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, model };
  };
  const costOf = (usage: Usage): number | undefined =>
    prices === undefined ? undefined : costOfUsage(usage, prices, options.now());
  const withCost = (usage: Usage): Usage => {
    const costMicros = costOf(usage);
    return costMicros === undefined ? usage : { ...usage, costMicros };
  };
  const largest = toUsage(maxOutput);
  return {
    reserved: { tokens: largest.totalTokens, costMicros: costOf(largest) ?? 0 },
    isPriced: costOf(largest) !== undefined,
    withCost,
    estimate({ bytes, isStream }) {
      const outputTokens = Math.ceil(bytes / (isStream ? STREAM_BYTES_PER_TOKEN : BYTES_PER_TOKEN));
      return withCost(toUsage(Math.min(maxOutput, outputTokens)));
    },
  };
}
