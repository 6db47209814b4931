import { EngineError, type ModelRequest } from "@switchyard/contracts";

/** Maximum number of models whose limits are stored. Beyond it, all stored limits are deleted. */
const MAX_REMEMBERED = 64;

/** Limits on `maxTokens` that providers have reported, by model. */
export interface OutputLimits {
  /** Returns the request, with its output capped at the model's known limit. */
  apply(request: ModelRequest): ModelRequest;
  /**
   * Returns the request with the output limit that the provider's rejection names. `undefined` if the rejection has
   * another cause.
   */
  lower(request: ModelRequest, failure: unknown): ModelRequest | undefined;
}

function withMaxTokens(request: ModelRequest, limit: number): ModelRequest | undefined {
  return request.maxTokens !== undefined && request.maxTokens <= limit ? undefined : { ...request, maxTokens: limit };
}

function nameOf({ provider = "", model }: ModelRequest): string {
  return `${provider}/${model}`;
}

/** Creates the record of a client's output limits. No limits are known at first. */
export function createOutputLimits(): OutputLimits {
  const limits = new Map<string, number>();
  return {
    apply(request) {
      const limit = limits.get(nameOf(request));
      return limit === undefined ? request : (withMaxTokens(request, limit) ?? request);
    },
    lower(request, failure) {
      const limit = EngineError.is(failure) ? failure.details["maxOutputTokens"] : undefined;
      if (typeof limit !== "number" || limit < 1) return undefined;
      // Only a limit on the output alone is stored. A shared limit on input and output depends on the request's input.
      if (EngineError.is(failure, "llm.invalid_request")) {
        if (limits.size >= MAX_REMEMBERED) limits.clear();
        limits.set(nameOf(request), limit);
      }
      return withMaxTokens(request, limit);
    },
  };
}
