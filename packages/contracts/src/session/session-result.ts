import type { FinishReason } from "../model/model-response.ts";
import type { TranscriptMessage } from "./session-message.ts";

/** One declared artifact; at least one of path, url, content, content_base64 is set. custom-engine: artifacts contract. */
export interface SessionArtifactFile {
  /** File name in the archive. */
  name: string;
  /** Path inside the workspace. */
  path?: string | undefined;
  /** Address it can be downloaded from. */
  url?: string | undefined;
  /** Inline text. */
  content?: string | undefined;
  /** Inline bytes, base64. */
  content_base64?: string | undefined;
  /** MIME type. */
  content_type?: string | undefined;
}

/** Everything a session declares beside its message. custom-engine: artifacts contract. */
export interface SessionArtifacts {
  /** Changes to the workspace as a unified diff. */
  workspace_diff?: string | undefined;
  /** Paths of files that were made, inside the workspace. */
  generated_files?: string[] | undefined;
  /** Structured artifacts. */
  files?: SessionArtifactFile[] | undefined;
  /** Log text. */
  logs?: string | undefined;
}

/** What every engine gives back. custom-engine: result contract. */
export interface SessionResult {
  /** 0 on success. */
  exit_code: number;
  /** The engine's last words; may be empty. */
  final_message: string;
  /** Who answered. */
  engine?: string | undefined;
  /** Model reference, `provider/name`. */
  model?: string | undefined;
  /** Elapsed time on the engine's side, in milliseconds. */
  duration_ms?: number | undefined;
  /** Turns of the model. */
  turns?: number | undefined;
  /** Tokens that went in. */
  input_tokens?: number | undefined;
  /** Tokens that came out. */
  output_tokens?: number | undefined;
  /** Why the last response of the model ended; of the built-in agent. An extension of the result contract. */
  finish_reason?: FinishReason["unified"] | undefined;
  /** Diagnostics. */
  stderr?: string | undefined;
  /** The conversation, in order. */
  transcript?: TranscriptMessage[] | undefined;
  /** What was made. */
  artifacts?: SessionArtifacts | undefined;
  /** Id by which a stateful engine goes on with the conversation. */
  session_id?: string | undefined;
}
