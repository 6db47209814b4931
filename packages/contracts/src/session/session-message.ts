/** Who speaks in a wire message. custom-engine: multi-turn conversation input contract. */
export type SessionRole = "system" | "user" | "assistant" | "tool";

/** A picture that goes with a message; an addition to the wire contract, which engines that know nothing of it ignore. */
export interface SessionImage {
  /** MIME type. */
  media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Its bytes, base64. */
  data: string;
}

/** One message of the wire contract. custom-engine: multi-turn conversation input contract. */
export interface SessionMessage {
  /** Who speaks. */
  role: SessionRole;
  /** Plain text. */
  content: string;
  /** Pictures, of a user's message. */
  images?: SessionImage[] | undefined;
}

/** A tool call inside a transcript. custom-engine: transcript contract. */
export interface TranscriptToolCall {
  /** Id that pairs the call with its result. */
  id: string;
  /** Name of the tool. */
  name: string;
  /** The arguments as JSON text. */
  arguments: string;
}

/** A tool's answer inside a transcript. custom-engine: transcript contract. */
export interface TranscriptToolResult {
  /** Id of the call it answers. */
  call_id: string;
  /** `ok` or `error`. */
  status: "ok" | "error";
  /** What the model saw. */
  content: string;
  /** How long the tool took, in milliseconds. */
  duration_ms?: number | undefined;
}

/** One entry of a result's transcript. custom-engine: transcript contract. */
export interface TranscriptMessage extends SessionMessage {
  /** 1-based number of the model's turn. */
  turn?: number | undefined;
  /** The calls an assistant message asked for. */
  tool_calls?: TranscriptToolCall[] | undefined;
  /** The answer a tool message carries. */
  tool_result?: TranscriptToolResult | undefined;
  /** When it was said, ISO 8601. */
  timestamp?: string | undefined;
}
