import type { Part } from "../model/part.ts";

/** A question from the engine to the user. See engine: UserPrompt. */
export interface UserPrompt {
  /** Id of the question, to which the answer refers. Default: created by the host. */
  id?: string | undefined;
  /** Text of the question, as message parts. */
  parts: readonly Part[];
  /** JSON Schema of the expected answer, as a hint for user interfaces. */
  schema?: Readonly<Record<string, unknown>> | undefined;
  /** Name of the engine's step that asks the question. */
  source?: string | undefined;
  /** Host-defined metadata, passed through unchanged. */
  metadata?: Readonly<Record<string, string>> | undefined;
}

/** The user's answer to a question. See engine: UserReply. */
export interface UserReply {
  /** Text of the answer, as message parts. */
  parts: readonly Part[];
  /** Host-defined metadata, passed through unchanged. */
  metadata?: Readonly<Record<string, string>> | undefined;
}
