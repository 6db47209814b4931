import type { Part } from "@switchyard/contracts";
import { cutText, type Random } from "./seeded-random.ts";

/** Tokens of one response. */
export interface TokenCount {
  /** Tokens of the request. */
  readonly inputTokens: number;
  /** Tokens of the response. */
  readonly outputTokens: number;
}

/** A tool call of a response. */
export interface ResponseCall {
  /** Its id; unique among all responses of the server, unless a fault repeats it. */
  readonly id: string;
  readonly name: string;
  /** JSON text of its arguments, in the pieces in which a stream has it. */
  readonly pieces: readonly string[];
  /** Whether the stream says which call a piece belongs to. */
  readonly hasIndex: boolean;
}

/** How a response ends, in terms that every API has a word for. */
export type ResponseEnding = "usual" | "stop" | "calls" | "length" | "error" | "filter";

/** One response, before it is written in the words of an API. */
export interface ResponseContent {
  readonly id: string;
  readonly model: string;
  readonly reasoning: readonly string[];
  readonly text: readonly string[];
  readonly calls: readonly ResponseCall[];
  /** How it ends; `undefined` for a response that ends without saying so. */
  readonly end: ResponseEnding | undefined;
  readonly usage: TokenCount;
}

/** What part of a response a frame of its stream carries. */
export type FramePart = "start" | "reasoning" | "text" | "arguments" | "end";

/** One event of a streamed response. */
export interface WireFrame {
  readonly part: FramePart;
  /** Name of the event, for APIs that name them. */
  readonly event?: string | undefined;
  /** Its data: JSON text, or a word of the API. */
  readonly data: string;
  /** Usage of the response up to this frame, for frames that report it. */
  readonly usage?: TokenCount | undefined;
  /** Whether a client can take it twice without harm. */
  readonly isRepeatable?: boolean | undefined;
}

/** What a response is made from besides its parts. */
export interface ContentContext {
  readonly id: string;
  readonly model: string;
  readonly usage: TokenCount;
  readonly random: Random;
}

function textsOf(parts: readonly Part[], type: "text" | "thinking"): string {
  return parts.flatMap((part) => (part.type === type ? [part.text] : [])).join("");
}

/** The response that says what a step of the script says. */
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
