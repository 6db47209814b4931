import { type Client, EngineError, type ErrorCode } from "@switchyard/contracts";
import type { FallbackModel, FallbackOptions } from "@switchyard/llm";
import type { ModelChoice } from "./model-choice.ts";

/** Failures that another model may not have, although asking the same one again is useless. */
const WORTH: ReadonlySet<ErrorCode> = new Set([
  "llm.quota_exceeded",
  "llm.answer_too_large",
  "llm.not_found",
  "llm.access_denied",
  "llm.unknown",
]);

/** Whether a failure is one of the model or its provider, rather than of the request. */
function isWorthFallback(error: unknown): boolean {
  if (!EngineError.is(error)) return true;
  // A key is refused by one provider; others have keys of their own.
  return error.retryable || WORTH.has(error.code) || error.code === "llm.authentication";
}

/** How an agent's fallback models are asked: a model that failed is not asked again while its fallback responds. */
export const AGENT_FALLBACK: FallbackOptions = { isWorthFallback, isSticky: true };

/** Fallback models as they change a request. */
export function toFallbackModels(choices: readonly ModelChoice[]): readonly FallbackModel[] {
  return choices.map(({ provider, model }) => ({ provider, model }));
}

/** One client over those of several providers; closing it is left to whoever made them. */
export function routeByProvider(clientOf: (provider: string) => Client, first: string): Client {
  return {
    complete: (request) => clientOf(request.provider ?? first).complete(request),
    stream: (request) => clientOf(request.provider ?? first).stream(request),
    close: async () => undefined,
  };
}
