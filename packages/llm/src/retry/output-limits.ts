import { EngineError, type ModelRequest } from "@switchyard/contracts";

/** Models whose limits are remembered. */
const MAX_REMEMBERED = 64;

/** Limits on `maxTokens` that providers have named, by model. */
export interface OutputLimits {
  /** The request with no more output than its model is known to allow. */
  apply(request: ModelRequest): ModelRequest;
  /** The request with the limit that its refusal names; undefined if the refusal is about something else. */
  lower(request: ModelRequest, failure: unknown): ModelRequest | undefined;
}

function withMaxTokens(request: ModelRequest, limit: number): ModelRequest | undefined {
  return request.maxTokens !== undefined && request.maxTokens <= limit ? undefined : { ...request, maxTokens: limit };
}

function nameOf({ provider = "", model }: ModelRequest): string {
  return `${provider}/${model}`;
}

/** Limits for one client; none is known at first. */
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
      // What input and output may be together says nothing about the next request.
      if (EngineError.is(failure, "llm.invalid_request")) {
        if (limits.size >= MAX_REMEMBERED) limits.clear();
        limits.set(nameOf(request), limit);
      }
      return withMaxTokens(request, limit);
    },
  };
}
