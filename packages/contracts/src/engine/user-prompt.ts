import type { Part } from "../model/part.ts";

/** What an engine asks the user. engine: UserPrompt. */
export interface UserPrompt {
  /** Id that the answer names; made by the host when unset. */
  id?: string | undefined;
  /** The question. */
  parts: readonly Part[];
  /** JSON Schema of the expected answer, as a hint for a form. */
  schema?: Readonly<Record<string, unknown>> | undefined;
  /** Step that asks. */
  source?: string | undefined;
  /** Passed through. */
  metadata?: Readonly<Record<string, string>> | undefined;
}

/** What the user answered. engine: UserReply. */
export interface UserReply {
  /** The answer. */
  parts: readonly Part[];
  /** Passed through. */
  metadata?: Readonly<Record<string, string>> | undefined;
}
