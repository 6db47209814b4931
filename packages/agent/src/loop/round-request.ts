import type { Message, ModelRequest } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";

/**
 * Builds the request of a round from the profile, the config and the history. The messages are those of this moment:
 * the request must not change when the conversation grows. They are copied only when read, because a copy in each round
 * would make the total cost quadratic. See loop: §2.5 step 2.
 */
export function buildRequest(core: SessionCore, systemPrompt: string): ModelRequest {
  const { profile, config } = core;
  const { provider, model } = core.turnRetries.models.current;
  const history = core.conversation.messages(systemPrompt);
  const { length } = history;
  let copied: readonly Message[] | undefined;
  return {
    provider,
    model,
    get messages() {
      copied ??= history.slice(0, length);
      return copied;
    },
    set messages(messages: readonly Message[]) {
      copied = messages;
    },
    tools: core.registry.definitions(),
    toolChoice: "auto",
    reasoningEffort: profile.supportsReasoning ? config.reasoningEffort : null,
    providerOptions: profile.providerOptions(),
    signal: core.signal,
    onRetry: core.emitRetry,
    isRetried: core.turnRetries.isRetried,
  };
}
