import type { ModelRequest } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";

/**
 * Builds the request of a round from the profile, the config and the history. The messages are a copy: the request must
 * not change when the conversation grows. A getter that copies on demand would cost more in all but the longest
 * sessions, because V8 creates a hidden class for each object with its own getter. See loop: §2.5 step 2.
 */
export function buildRequest(core: SessionCore, systemPrompt: string): ModelRequest {
  const { profile, config } = core;
  const { provider, model } = core.turnRetries.models.current;
  return {
    provider,
    model,
    messages: core.conversation.messages(systemPrompt).slice(),
    tools: core.registry.definitions(),
    toolChoice: "auto",
    reasoningEffort: profile.supportsReasoning ? config.reasoningEffort : null,
    providerOptions: profile.providerOptions(),
    signal: core.signal,
    onRetry: core.emitRetry,
    isRetried: core.turnRetries.isRetried,
  };
}
