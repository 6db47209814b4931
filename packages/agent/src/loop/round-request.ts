import type { Message, ModelRequest } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";

/** Up to so many messages it costs less to copy them than to define that they are copied later. */
const FEW_MESSAGES = 64;

/**
 * The request of a round. Whoever keeps it must not see it grow with the conversation, so its messages are a list of their
 * own; that of a long conversation is copied when somebody reads it, for a copy in each round would make long sessions
 * cost the square of their length. loop: §2.5 step 2.
 */
class RoundRequest implements ModelRequest {
  // The same functions for every request: accessors of its own would make each a class of object of its own.
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
  // Declared only: a field would be written twice.
  declare provider: ModelRequest["provider"];
  declare model: string;
  /** Its own, so that whoever spreads the request or writes it down finds it there. */
  declare messages: readonly Message[];
  declare tools: ModelRequest["tools"];
  declare toolChoice: ModelRequest["toolChoice"];
  declare reasoningEffort: ModelRequest["reasoningEffort"];
  declare providerOptions: ModelRequest["providerOptions"];
  declare signal: ModelRequest["signal"];
  declare onRetry: ModelRequest["onRetry"];
  declare isRetried: ModelRequest["isRetried"];

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

/** Builds the request of a round from the profile, the config and the history. loop: §2.5 step 2. */
export function buildRequest(core: SessionCore, systemPrompt: string): ModelRequest {
  return new RoundRequest(core, core.conversation.messages(systemPrompt));
}
