import type { FinishReason } from "../model/model-response.ts";
import type { TranscriptMessage } from "./session-message.ts";

/**
 * A declared artifact; at least one of `path`, `url`, `content` and `content_base64` is set. See custom-engine:
 * artifacts contract.
 */
export interface SessionArtifactFile {
  /** File name of the artifact in the run's archive. */
  name: string;
  /** Path inside the workspace. */
  path?: string | undefined;
  /** URL from which the artifact can be downloaded. */
  url?: string | undefined;
  /** Content as text. */
  content?: string | undefined;
  /** Content in base64. */
  content_base64?: string | undefined;
  /** MIME type. */
  content_type?: string | undefined;
}

/** Artifacts and changes that a session declares. See custom-engine: artifacts contract. */
export interface SessionArtifacts {
  /** Changes to the workspace as a unified diff. */
  workspace_diff?: string | undefined;
  /** Paths of created files, inside the workspace. */
  generated_files?: string[] | undefined;
  /** Declared artifacts. */
  files?: SessionArtifactFile[] | undefined;
  /** Log output. */
  logs?: string | undefined;
}

/** Result of an engine. See custom-engine: result contract. */
export interface SessionResult {
  /** 0 on success; any other value reports failure. */
  exit_code: number;
  /** Text of the engine's last message; may be empty. */
  final_message: string;
  /** Name of the engine. */
  engine?: string | undefined;
  /** Model reference, `provider/name`. */
  model?: string | undefined;
  /** Duration measured by the engine, in milliseconds. */
  duration_ms?: number | undefined;
  /** Number of model turns. */
  turns?: number | undefined;
  /** Number of input tokens. */
  input_tokens?: number | undefined;
  /** Number of output tokens. */
  output_tokens?: number | undefined;
  /** Cost in US dollars. Extends the result contract. `undefined` if it is unknown. */
  cost_usd?: number | undefined;
  /** Why the model's last response ended. Built-in agent only; extends the result contract. */
  finish_reason?: FinishReason["unified"] | undefined;
  /** Diagnostic output. */
  stderr?: string | undefined;
  /** The conversation, in order. */
  transcript?: TranscriptMessage[] | undefined;
  /** Artifacts and changes. */
  artifacts?: SessionArtifacts | undefined;
  /** Session id with which the next run continues the conversation, if the engine stores conversations itself. */
  session_id?: string | undefined;
}
