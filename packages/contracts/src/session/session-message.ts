/** Role of a message's author. See custom-engine: multi-turn conversation input contract. */
export type SessionRole = "system" | "user" | "assistant" | "tool";

/** An image of a message. The contract of custom engines has no images, so engines without support ignore them. */
export interface SessionImage {
  /** MIME type. */
  media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Image data in base64. */
  data: string;
}

/**
 * One message of the conversation that an engine receives, in wire format. See custom-engine: multi-turn conversation
 * input contract.
 */
export interface SessionMessage {
  /** Role of the author. */
  role: SessionRole;
  /** Plain text. */
  content: string;
  /** Images of a user message. */
  images?: SessionImage[] | undefined;
}

/** A tool call inside a transcript. See custom-engine: transcript contract. */
export interface TranscriptToolCall {
  /** Id of the tool call. The result has the same id. */
  id: string;
  /** Name of the tool. */
  name: string;
  /** The arguments as JSON text. */
  arguments: string;
}

/** Result of a tool call inside a transcript. See custom-engine: transcript contract. */
export interface TranscriptToolResult {
  /** Id of the tool call. */
  call_id: string;
  /** Whether the tool succeeded. */
  status: "ok" | "error";
  /** Text of the tool result that the model received. */
  content: string;
  /** Duration of the call, in milliseconds. */
  duration_ms?: number | undefined;
}

/** One entry of a result's transcript. See custom-engine: transcript contract. */
export interface TranscriptMessage extends SessionMessage {
  /** 1-based number of the model turn. */
  turn?: number | undefined;
  /** Tool calls of an assistant message. */
  tool_calls?: TranscriptToolCall[] | undefined;
  /** Result carried by a tool message. */
  tool_result?: TranscriptToolResult | undefined;
  /** Time of the message, ISO 8601. */
  timestamp?: string | undefined;
}
