import type { Message, ModelRequest } from "@switchyard/contracts";
import type { SessionCore } from "./session-core.ts";

/** Up to so many messages it costs less to copy them than to define that they are copied later. */
const FEW_MESSAGES = 64;

/**
 * The request of a round of a long conversation. Whoever keeps it must not see it grow with the conversation, so its
 * messages are a list of their own: copied when somebody reads them, for a copy in each round would make long sessions cost
 * the square of their length.
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

  constructor(request: ModelRequest) {
    this.#list = request.messages;
    this.#length = request.messages.length;
    this.provider = request.provider;
    this.model = request.model;
    this.tools = request.tools;
    this.toolChoice = request.toolChoice;
    this.reasoningEffort = request.reasoningEffort;
    this.providerOptions = request.providerOptions;
    this.signal = request.signal;
    this.onRetry = request.onRetry;
    Object.defineProperty(this, "messages", RoundRequest.#MESSAGES);
  }
}

/** Builds the request of a round from the profile, the config and the history. loop: §2.5 step 2. */
export function buildRequest(core: SessionCore, systemPrompt: string): ModelRequest {
  const { profile, config } = core;
  const list = core.conversation.messages(systemPrompt);
  const isShort = list.length <= FEW_MESSAGES;
  const request: ModelRequest = {
    provider: profile.provider,
    model: config.model ?? profile.model,
    messages: isShort ? list.slice() : list,
    tools: core.registry.definitions(),
    toolChoice: "auto",
    reasoningEffort: profile.supportsReasoning ? config.reasoningEffort : null,
    providerOptions: profile.providerOptions(),
    signal: core.signal,
    onRetry: core.tellRetry,
  };
  return isShort ? request : new RoundRequest(request);
}
