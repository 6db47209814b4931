import type { Part } from "@switchyard/contracts";
import { cutText, type Random } from "./seeded-random.ts";

/** Tokens of one response. */
export interface TokenCount {
  /** Input tokens. */
  readonly inputTokens: number;
  /** Output tokens. */
  readonly outputTokens: number;
}

/** A tool call of a response. */
export interface ResponseCall {
  /** Id of the tool call. Unique among all responses of the server, unless unusual behaviour repeats an id. */
  readonly id: string;
  readonly name: string;
  /** JSON text of the call's arguments, in the chunks in which it is streamed. */
  readonly pieces: readonly string[];
  /** True if the stream states which call a chunk belongs to. */
  readonly hasIndex: boolean;
}

/** How a response ends, independent of the finish reasons of an API. */
export type ResponseEnding = "usual" | "stop" | "calls" | "length" | "error" | "filter";

/** Content of one response, before it is converted to an API's format. */
export interface ResponseContent {
  readonly id: string;
  readonly model: string;
  readonly reasoning: readonly string[];
  readonly text: readonly string[];
  readonly calls: readonly ResponseCall[];
  /** How the response ends. `undefined` for a response without finish reason. */
  readonly end: ResponseEnding | undefined;
  readonly usage: TokenCount;
}

/** Part of a response to which a stream event belongs. */
export type FramePart = "start" | "reasoning" | "text" | "arguments" | "end";

/** One event of a streamed response. */
export interface WireFrame {
  readonly part: FramePart;
  /** Name of the event. `undefined` for APIs whose events have no names. */
  readonly event?: string | undefined;
  /** Data of the event: JSON text, or a literal text of the API such as `[DONE]`. */
  readonly data: string;
  /** Token usage that the event reports. `undefined` if it reports none. */
  readonly usage?: TokenCount | undefined;
  /** True if a client can receive the event twice without harm. */
  readonly isRepeatable?: boolean | undefined;
}

/** Data from which the content of a response is built. */
export interface ContentContext {
  readonly id: string;
  readonly model: string;
  readonly usage: TokenCount;
  readonly random: Random;
}

function textsOf(parts: readonly Part[], type: "text" | "thinking"): string {
  return parts.flatMap((part) => (part.type === type ? [part.text] : [])).join("");
}

/** Returns the response with the content of a script step. */
export function toResponseContent(
  parts: readonly Part[],
  { id, model, usage, random }: ContentContext,
): ResponseContent {
  const calls = parts.flatMap((part) => (part.type === "tool_call" ? [part] : []));
  return {
    ...{ id, model, usage, end: "usual" },
    reasoning: cutText(random, textsOf(parts, "thinking")),
    text: cutText(random, textsOf(parts, "text")),
    calls: calls.map((call, index) => ({
      id: `${id}_call_${index + 1}`,
      name: call.name,
      pieces: cutText(random, call.arguments),
      hasIndex: true,
    })),
  };
}
