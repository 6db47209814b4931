import type { JSONObject } from "@ai-sdk/provider";

/** How the messages of a request become the prompt of one family. */
export interface PromptRules {
  /** Name of the family; metadata of parts is kept under it. */
  readonly family: string;
  /** Name that the AI SDK's package gives it. */
  readonly namespace: string;
  /** Name of the provider in the client: signatures of other providers are dropped. */
  readonly provider: string;
  /** Model of the request: signatures of other models are dropped. */
  readonly model: string;
  /** Whether system messages may stand after the first other message. */
  readonly lateSystemMessages: boolean;
  /** Shape of the call ids that the API accepts. */
  readonly callIds: RegExp;
  /** Marks the prefix of the prompt that the provider should cache, where it has to be told. */
  readonly cacheMark?: JSONObject | undefined;
}
