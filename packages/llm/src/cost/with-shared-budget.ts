import {
  type BudgetAmount,
  type BudgetReservation,
  type Client,
  EngineError,
  hasErrorClass,
  type ModelRequest,
  type ModelResponse,
  type SharedModelBudget,
  type StreamEvent,
  type Usage,
} from "@switchyard/contracts";
import { getModelInfo } from "../catalog/get-model-info.ts";
import { usageOfFailure } from "../failure/usage-of-failure.ts";
import { costOfUsage } from "./cost-of-usage.ts";
import { type CostOptions, findPrices } from "./find-prices.ts";

/** Output tokens that the estimate assumes as maximum if neither the request nor the model catalog states one. */
const DEFAULT_OUTPUT_TOKENS = 8_192;
/** Upper limit for the reserved output tokens of a model that the catalog does not list. */
const MAX_OUTPUT_TOKENS = 131_072;
/** Characters per token that are assumed for requests and responses. */
const CHARACTERS_PER_TOKEN = 4;

/** Options for `withSharedBudget`. */
export interface SharedBudgetOptions extends CostOptions {
  /** Provider of requests that name none. */
  readonly provider: string;
}

/** Estimated usage of one model call. */
interface CallEstimate {
  /** Maximum number of tokens and maximum cost of the call. */
  readonly largest: BudgetAmount;
  /** Returns the estimated usage of the call, given the number of characters received so far. */
  usageAfter(characters: number): Usage;
}

/**
 * Wraps a client and reserves the maximum tokens and cost of each call before it starts, in a budget that the run
 * shares with other runs. After the call, the reported usage replaces the reservation. The wrapped client must report
 * costs, as `withCost` does. Calls reject with `budget.day_exceeded` if the budget is used up, and with
 * `budget.price_unknown` if the budget limits the cost and the price of the model is unknown.
 */
export function withSharedBudget(client: Client, budget: SharedModelBudget, options: SharedBudgetOptions): Client {
  async function reserve(request: ModelRequest, estimate: CallEstimate | undefined): Promise<BudgetReservation> {
    if (estimate === undefined) throw new EngineError("budget.price_unknown", { model: request.model });
    return await budget.reserve(estimate.largest, request.signal ?? new AbortController().signal);
  }
  return {
    complete: async (request) => {
      const estimate = estimateOf(request, budget, options);
      const reservation = await reserve(request, estimate);
      let usage: Usage | undefined;
      try {
        const response = await client.complete(request);
        usage = knownUsage(response.usage, () => estimate?.usageAfter(sizeOfResponse(response)));
        return response;
      } catch (error) {
        usage = EngineError.is(error) ? usageOfFailure(error) : undefined;
        if (usage === undefined && isCharged(request, error)) usage = estimate?.usageAfter(0);
        throw error;
      } finally {
        reservation.settle(usage);
      }
    },
    stream: async function* (request) {
      const estimate = estimateOf(request, budget, options);
      const reservation = await reserve(request, estimate);
      let response: ModelResponse | undefined;
      let failed: Usage | undefined;
      let characters = 0;
      // A consumer that stops reading ends the stream without an error.
      let wasSent = true;
      try {
        for await (const event of client.stream(request)) {
          characters += sizeOf(event);
          if (event.type === "finish") response = event.response;
          yield event;
        }
      } catch (error) {
        failed = EngineError.is(error) ? usageOfFailure(error) : undefined;
        wasSent = isCharged(request, error);
        throw error;
      } finally {
        // The provider charges a response that began, even if it did not report its usage.
        const assumed = (): Usage | undefined =>
          characters > 0 || wasSent ? estimate?.usageAfter(characters) : undefined;
        reservation.settle(knownUsage(response?.usage ?? failed, assumed));
      }
    },
    close: () => client.close(),
  };
}

/**
 * Returns true if the provider may charge a failed call although no response arrived, because the call was aborted or
 * timed out after it was sent.
 */
function isCharged({ signal }: ModelRequest, error: unknown): boolean {
  return signal?.aborted === true || hasErrorClass(error, "timeout");
}

/** Returns reported usage, with an estimate instead of tokens that the provider did not count. */
function knownUsage(reported: Usage | undefined, assume: () => Usage | undefined): Usage | undefined {
  if (reported !== undefined && Number.isFinite(reported.totalTokens) && reported.totalTokens > 0) return reported;
  const assumed = assume();
  const costMicros = reported?.costMicros;
  return assumed === undefined || costMicros === undefined ? assumed : { ...assumed, costMicros };
}

function sizeOfResponse({ message }: ModelResponse): number {
  return JSON.stringify(message, withoutBytes).length;
}

function sizeOf(event: StreamEvent): number {
  if (event.type === "tool_call_delta") return event.argumentsDelta.length;
  return event.type === "text_delta" || event.type === "reasoning_delta" ? event.text.length : 0;
}

/** Leaves out the bytes of images and documents, whose size says little about their tokens. */
function withoutBytes(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? "" : value;
}

/** Returns the estimate of a call. `undefined` if its price is needed and unknown. */
function estimateOf(
  request: ModelRequest,
  { limitsCost }: SharedModelBudget,
  options: SharedBudgetOptions,
): CallEstimate | undefined {
  const { model, provider = options.provider } = request;
  const info = getModelInfo(model);
  const { messages, tools = [] } = request;
  const inputTokens = Math.min(
    Math.ceil(JSON.stringify([messages, tools], withoutBytes).length / CHARACTERS_PER_TOKEN),
    info?.contextWindow ?? Number.POSITIVE_INFINITY,
  );
  const limit = info?.maxOutput ?? MAX_OUTPUT_TOKENS;
  const maxOutput = Math.min(request.maxTokens ?? info?.maxOutput ?? DEFAULT_OUTPUT_TOKENS, limit);
  const prices = findPrices({ provider, model, settings: request.providerOptions?.[provider] }, options);
  const usageOf = (outputTokens: number): Usage => {
    const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
    const costMicros = prices && costOfUsage(usage, prices, (options.now ?? Date.now)());
    return costMicros === undefined ? usage : { ...usage, costMicros };
  };
  const { totalTokens: tokens, costMicros } = usageOf(maxOutput);
  if (limitsCost && costMicros === undefined) return undefined;
  return {
    largest: { tokens, costMicros: costMicros ?? 0 },
    usageAfter: (characters) => usageOf(Math.min(maxOutput, Math.ceil(characters / CHARACTERS_PER_TOKEN))),
  };
}
