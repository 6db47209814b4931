import type { SessionMessage } from "./session-message.ts";

/** Input of one session. See custom-engine: SessionInput format. */
export interface SessionInput {
  /** Conversation so far; the engine continues from the last user message. */
  messages: SessionMessage[];
  /** Id of the evaluation case that this session belongs to. */
  case_id?: string | undefined;
  /** Variant of the evaluation case that this session belongs to. */
  variant?: string | undefined;
  /** Absolute path of the workspace. */
  workspace?: string | undefined;
  /** Model reference, `provider/name`. */
  model?: string | undefined;
  /** Engine parameters; all values are strings. */
  kwargs?: Record<string, string> | undefined;
  /** Maximum number of model turns. 0 or `undefined`: no limit. */
  max_turns?: number | undefined;
  /** Time limit in seconds, by the wall clock. 0 or `undefined`: no limit. */
  timeout_seconds?: number | undefined;
  /**
   * Maximum total wait of the retries of one model turn, in seconds. 0 disables retries. Default: 600. Built-in agent
   * only.
   */
  retry_for_seconds?: number | undefined;
  /**
   * Session id to continue an earlier conversation. An engine that stores conversations itself has returned it with the
   * earlier result.
   */
  session_id?: string | undefined;
}
