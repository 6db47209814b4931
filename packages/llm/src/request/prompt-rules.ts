import type { JSONObject } from "@ai-sdk/provider";
import type { Dialect } from "../provider/dialect.ts";
import type { FileReads } from "./file-reads.ts";

/** What a dialect says about prompts. */
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

/** How the messages of a request become the prompt of one family. */
export interface PromptRules {
  /** The family's own ways. */
  readonly dialect: PromptDialect;
  /** Name of the provider in the client: signatures of other providers are dropped. */
  readonly provider: string;
  /** Model of the request: signatures of other models are dropped. */
  readonly model: string;
  /** Marks the prefix of the prompt that the provider should cache, where it has to be told. */
  readonly cacheMark?: JSONObject | undefined;
  /** Files that parts name by path. */
  readonly files: FileReads;
  /** Names of the request's tools as they are sent, by their own. */
  readonly wireNames: ReadonlyMap<string, string>;
  /** Collects what cannot be sent. */
  readonly warn: (warning: string) => void;
}
