/** Who speaks in a wire message. custom-engine: multi-turn conversation input contract. */
export type SessionRole = "system" | "user" | "assistant" | "tool";

/** One message of the wire contract. custom-engine: multi-turn conversation input contract. */
export interface SessionMessage {
  /** Who speaks. */
  role: SessionRole;
  /** Plain text. */
  content: string;
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
