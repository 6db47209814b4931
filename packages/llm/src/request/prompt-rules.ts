import type { JSONObject } from "@ai-sdk/provider";
import type { Dialect } from "../provider/dialect.ts";
import type { FileReads } from "./file-reads.ts";

/** Properties of a dialect that concern prompts. */
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

/** Rules for converting messages to the prompt of one family. */
export interface PromptRules {
  /** Properties of the family. */
  readonly dialect: PromptDialect;
  /** Name of the provider in the client. Signatures of other providers are dropped. */
  readonly provider: string;
  /** Model of the request. Signatures of other models are dropped. */
  readonly model: string;
  /** Mark for the prompt prefix that the provider should cache, if the API requires one. */
  readonly cacheMark?: JSONObject | undefined;
  /** Files that parts refer to by path. */
  readonly files: FileReads;
  /** Sent names of the request's tools, by original name. */
  readonly wireNames: ReadonlyMap<string, string>;
  /** Collects warnings about content that cannot be sent. */
  readonly warn: (warning: string) => void;
}
