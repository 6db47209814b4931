import type { Message, ModelRequest } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";

/** Number of messages up to which copying is cheaper than a lazy copy. */
const FEW_MESSAGES = 64;

/**
 * Model request of a tool round. The messages are copied, because the request must not change when the conversation
 * grows. In a long conversation, they are copied only when read, because a copy in each round would make the total cost
 * quadratic. See loop: §2.5 step 2.
 */
class RoundRequest implements ModelRequest {
  // All requests share these accessors, because V8 would otherwise create a hidden class for each request.
  static readonly #MESSAGES = {
    enumerable: true,
    configurable: true,
    get(this: RoundRequest): readonly Message[] {
      this.#copied ??= this.#list.slice(0, this.#length);
      return this.#copied;
    },
    set(this: RoundRequest, messages: readonly Message[]): void {
      this.#copied = messages;
    },
  };

  readonly #list: readonly Message[];
  readonly #length: number;
  #copied: readonly Message[] | undefined;
  provider: ModelRequest["provider"];
  model: string;
  /** Defined as an own property, so that copies and serialised forms of the request contain it. */
  messages: readonly Message[] = [];
  tools: ModelRequest["tools"];
  toolChoice: ModelRequest["toolChoice"];
  reasoningEffort: ModelRequest["reasoningEffort"];
  providerOptions: ModelRequest["providerOptions"];
  signal: ModelRequest["signal"];
  onRetry: ModelRequest["onRetry"];
  isRetried: ModelRequest["isRetried"];

  constructor(core: SessionCore, list: readonly Message[]) {
    const { profile, config } = core;
    const { provider, model } = core.turnRetries.models.current;
    this.#list = list;
    this.#length = list.length;
    this.provider = provider;
    this.model = model;
    if (list.length <= FEW_MESSAGES) this.messages = list.slice();
    else Object.defineProperty(this, "messages", RoundRequest.#MESSAGES);
    this.tools = core.registry.definitions();
    this.toolChoice = "auto";
    this.reasoningEffort = profile.supportsReasoning ? config.reasoningEffort : null;
    this.providerOptions = profile.providerOptions();
    this.signal = core.signal;
    this.onRetry = core.emitRetry;
    this.isRetried = core.turnRetries.isRetried;
  }
}

/** Builds the request of a round from the profile, the config and the history. See loop: §2.5 step 2. */
export function buildRequest(core: SessionCore, systemPrompt: string): ModelRequest {
  return new RoundRequest(core, core.conversation.messages(systemPrompt));
}
