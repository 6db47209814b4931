import type { JSONObject } from "@ai-sdk/provider";
import { EngineError } from "@switchyard/contracts";
import { isRecord } from "../failure/error-info.ts";
import type { FamilyRequest } from "../provider/dialect.ts";

/** Thinking budgets in tokens, for models that accept a budget. */
const BUDGETS: Readonly<Record<string, number>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};
/** Accepted values of the reasoning effort. */
export const ANTHROPIC_EFFORTS: readonly string[] = ["none", ...Object.keys(BUDGETS)];
const EFFORTS = ["low", "medium", "high", "xhigh", "max"];

/** How a model accepts a reasoning effort: as an effort setting, as a thinking budget, or not at all. */
type Thinking = "effort" | "budget" | "none";

const VERSION = /claude-[a-z]+-(\d+)(?:-(\d{1,2})(?!\d))?/;

/**
 * Returns how a Claude model accepts a reasoning effort: from version 4.6 as an effort setting, from version 3.7 as a
 * thinking budget, before that not at all.
 */
function thinkingOf(model: string): Thinking {
  if (!model.includes("claude")) return "budget";
  if (model.includes("claude-3-7")) return "budget";
  if (/claude-(3|2|instant)/.test(model)) return "none";
  const version = VERSION.exec(model);
  if (version === null) return "effort";
  return Number(version[1]) + Number(version[2] ?? 0) / 10 >= 4.55 ? "effort" : "budget";
}

function reasoningOptions(effort: string, { request, warn }: FamilyRequest): JSONObject {
  const thinking = thinkingOf(request.model);
  if (effort === "none") return { thinking: { type: "disabled" } };
  const budget = BUDGETS[effort];
  if (budget === undefined) {
    const known = ANTHROPIC_EFFORTS.join(", ");
    throw new EngineError("config.invalid", { field: "reasoningEffort", problem: `${effort} is not one of: ${known}` });
  }
  if (thinking === "none") {
    warn(`reasoningEffort is not supported by ${request.model}`);
    return {};
  }
  if (thinking === "budget") return { thinking: { type: "enabled", budgetTokens: budget } };
  return { thinking: { type: "adaptive" }, effort: EFFORTS.includes(effort) ? effort : "low" };
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/**
 * Returns Anthropic's options for a request:
 * - The reasoning effort becomes a thinking budget or an effort setting.
 * - `betaHeaders` become the `anthropic-beta` header.
 * - `metadata.user_id` becomes the user's id.
 *
 * See loop: §2.7, §3.5.
 */
export function toAnthropicOptions(input: FamilyRequest): JSONObject {
  const { request, options: familyOptions, warn } = input;
  const chosen = familyOptions["thinking"] !== undefined || familyOptions["effort"] !== undefined;
  const effort = request.reasoningEffort;
  const options: JSONObject = effort === undefined || effort === null || chosen ? {} : reasoningOptions(effort, input);
  const betas = stringsOf(familyOptions["betaHeaders"]);
  if (betas.length > 0) options["anthropicBeta"] = [...betas, ...stringsOf(familyOptions["anthropicBeta"])];
  for (const [name, value] of Object.entries(request.metadata ?? {})) {
    if (name === "user_id") options["metadata"] = { userId: value };
    else warn(`metadata ${name} is not supported by Anthropic`);
  }
  return options;
}

/** Returns the thinking budget in provider options, in tokens, or 0 if there is none. */
export function thinkingBudgetOf({ thinking }: JSONObject): number {
  if (!isRecord(thinking) || thinking["type"] !== "enabled") return 0;
  const budget = thinking["budgetTokens"];
  return typeof budget === "number" ? budget : 0;
}

/**
 * Returns the `cacheControl` option that marks the end of a prompt prefix to cache. `undefined` if `autoCache` is false
 * or the request configures caching itself.
 */
export function anthropicCacheMark({ options }: FamilyRequest): JSONObject | undefined {
  if (options["autoCache"] === false || options["cacheControl"] !== undefined) return undefined;
  return { cacheControl: { type: "ephemeral" } };
}
