import type { SessionMessage } from "./session-message.ts";

/** What a host hands in for one session. custom-engine: SessionInput format. */
export interface SessionInput {
  /** The whole conversation so far; the engine continues from the last user message. */
  messages: SessionMessage[];
  /** Id of the case this session belongs to. */
  case_id?: string | undefined;
  /** Variant of the case. */
  variant?: string | undefined;
  /** Absolute path of the workspace. */
  workspace?: string | undefined;
  /** Model reference, `provider/name`. */
  model?: string | undefined;
  /** Parameters of the engine; every value is a string. */
  kwargs?: Record<string, string> | undefined;
  /** Most turns of the model; 0 or unset means no limit. */
  max_turns?: number | undefined;
  /** Wall-clock budget in seconds; 0 or unset means no limit. */
  timeout_seconds?: number | undefined;
  /**
   * Longest total wait of the retries of one model turn, in seconds; 0 switches them off. Of the built-in agent; default
   * 600.
   */
  retry_for_seconds?: number | undefined;
  /** Id by which a stateful engine goes on with the conversation. */
  session_id?: string | undefined;
}
