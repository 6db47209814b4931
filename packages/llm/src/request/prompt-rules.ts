import type { JSONObject } from "@ai-sdk/provider";
import type { Dialect } from "../provider/dialect.ts";
import type { FileReads } from "./file-reads.ts";

/** Properties of an API family that determine how prompts are built. */
type PromptDialect = Pick<
  Dialect,
  | "family"
  | "namespace"
  | "lateSystemMessages"
  | "oneSystemMessage"
  | "parsedArguments"
  | "plainReasoning"
  | "toolImages"
  | "callIds"
  | "callFields"
  | "restoreMessage"
>;

/** Rules for converting messages to the AI SDK's prompt for one API family. */
export interface PromptRules {
  /** Properties of the family. */
  readonly dialect: PromptDialect;
  /** Name under which the client knows the provider. Reasoning signatures of other providers are dropped. */
  readonly provider: string;
  /** Model of the request. Reasoning signatures of other models are dropped. */
  readonly model: string;
  /** AI SDK option that marks the end of the prompt prefix to cache, for APIs that require such a mark. */
  readonly cacheMark?: JSONObject | undefined;
  /** Files to read, because message parts refer to them by path. */
  readonly files: FileReads;
  /** Names under which the request's tools are sent to the API, by original name. */
  readonly wireNames: ReadonlyMap<string, string>;
  /** Collects warnings about content that cannot be sent. */
  readonly warn: (warning: string) => void;
}
