import type { Message, ModelRequest } from "@switchyard/contracts";
import type { SessionCore } from "./session-core.ts";

/** The first messages of a list that only ever grows. */
export interface MessagePrefix {
  readonly list: readonly Message[];
  readonly length: number;
}

/** Up to so many messages it costs less to copy them than to define that they are copied later. */
const FEW_MESSAGES = 64;

/**
 * The request of a round. Whoever keeps it must not see it grow with the conversation, so its messages are a list of their
 * own: copied when somebody reads them, for a copy in each round would make long sessions cost the square of their length.
 */
class RoundRequest implements ModelRequest {
  // The same functions for every request: accessors of its own would make each a class of object of its own.
  static readonly #MESSAGES = {
    enumerable: true,
    configurable: true,
    get(this: RoundRequest): readonly Message[] {
      this.#copied ??= this.#prefix.list.slice(0, this.#prefix.length);
      return this.#copied;
    },
    set(this: RoundRequest, messages: readonly Message[]): void {
      this.#copied = messages;
    },
  };

  readonly #prefix: MessagePrefix;
  #copied: readonly Message[] | undefined;
  provider: ModelRequest["provider"];
  model: string;
  /** Its own, so that whoever spreads the request or writes it down finds it there. */
  declare messages: readonly Message[];
  tools: ModelRequest["tools"];
  toolChoice: ModelRequest["toolChoice"];
  reasoningEffort: ModelRequest["reasoningEffort"];
  providerOptions: ModelRequest["providerOptions"];
  signal: ModelRequest["signal"];
  onRetry: ModelRequest["onRetry"];

  constructor({ profile, config, registry, signal, tellRetry }: SessionCore, prefix: MessagePrefix) {
    this.#prefix = prefix;
    this.provider = profile.provider;
    this.model = config.model ?? profile.model;
    this.tools = registry.definitions();
    this.toolChoice = "auto";
    this.reasoningEffort = profile.supportsReasoning ? config.reasoningEffort : null;
    this.providerOptions = profile.providerOptions();
    this.signal = signal;
    this.onRetry = tellRetry;
    if (prefix.length <= FEW_MESSAGES) this.messages = prefix.list.slice(0, prefix.length);
    else Object.defineProperty(this, "messages", RoundRequest.#MESSAGES);
  }
}

/** Builds the request of a round from the profile, the config and the history. loop: §2.5 step 2. */
export function buildRequest(core: SessionCore, systemPrompt: string): ModelRequest {
  return new RoundRequest(core, core.conversation.messages(systemPrompt));
}
