import type { JSONObject } from "@ai-sdk/provider";
import { EngineError } from "@switchyard/contracts";
import type { FamilyRequest } from "../provider/dialect.ts";
import { isJsonObject } from "../request/plain-data.ts";

/** Thinking budgets in tokens, for models that accept a budget. */
const BUDGETS: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 512,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};
/** Thinking levels of models from Gemini 3, which cannot disable thinking. */
const LEVELS: Readonly<Record<string, string>> = {
  none: "minimal",
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

/** Accepted values of the reasoning effort. */
export const GEMINI_EFFORTS: readonly string[] = Object.keys(LEVELS);

const WITH_BUDGET = /gemini-2\.5/;
const WITHOUT_THINKING = /gemini-(1|2\.0)|gemma/;

/** Returns Gemini's options for a request: the effort becomes a thinking configuration. See loop: §2.7. */
export function toGeminiOptions({ request, options: familyOptions, warn }: FamilyRequest): JSONObject {
  for (const name of Object.keys(request.metadata ?? {})) warn(`metadata ${name} is not supported by Gemini`);
  const effort = request.reasoningEffort;
  if (effort === undefined || effort === null) return {};
  const thinkingLevel = LEVELS[effort];
  const thinkingBudget = BUDGETS[effort];
  if (thinkingLevel === undefined || thinkingBudget === undefined) {
    const known = GEMINI_EFFORTS.join(", ");
    throw new EngineError("config.invalid", { field: "reasoningEffort", problem: `${effort} is not one of: ${known}` });
  }
  if (WITHOUT_THINKING.test(request.model)) {
    warn(`reasoningEffort is not supported by ${request.model}`);
    return {};
  }
  const includeThoughts = effort !== "none";
  const chosen = isJsonObject(familyOptions["thinkingConfig"]) ? familyOptions["thinkingConfig"] : undefined;
  const amount = WITH_BUDGET.test(request.model) ? { thinkingBudget } : { thinkingLevel };
  return { thinkingConfig: chosen ?? { ...amount, includeThoughts } };
}
