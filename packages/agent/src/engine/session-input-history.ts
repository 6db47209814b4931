import {
  EngineError,
  type ImagePart,
  NO_USAGE,
  type SessionInput,
  type SessionMessage,
  type ToolCallPart,
  type ToolResultPart,
  type TranscriptMessage,
} from "@switchyard/contracts";
import type { Turn } from "../conversation/turn.ts";
import type { UserInput } from "../conversation/user-input.ts";
import type { EarlierConversation } from "./earlier-conversation.ts";

/** Session input, converted for the agent loop. */
export interface InputHistory {
  /** All messages before the user input, with system messages first. */
  readonly history: readonly Turn[];
  /** Last user message. */
  readonly input: UserInput;
  /** Number of messages after the last user message, which are ignored. */
  readonly ignored: number;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Returns the tool calls of a transcript message. Messages without the field `tool_calls` have none. */
function toolCallsOf(message: SessionMessage): ToolCallPart[] {
  const calls: unknown = "tool_calls" in message ? message.tool_calls : undefined;
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: unknown) => {
    if (!isRecord(call) || typeof call["id"] !== "string" || typeof call["name"] !== "string") return [];
    const text = typeof call["arguments"] === "string" ? call["arguments"] : "{}";
    return [{ type: "tool_call" as const, id: call["id"], name: call["name"], arguments: text }];
  });
}

/** Returns the tool result in a transcript message. `undefined` if the message has no field `tool_result`. */
function toolResultOf(message: SessionMessage): Pick<ToolResultPart, "toolCallId" | "isError" | "content"> | undefined {
  const result: unknown = "tool_result" in message ? message.tool_result : undefined;
  if (!isRecord(result) || typeof result["call_id"] !== "string") return undefined;
  const content = typeof result["content"] === "string" ? result["content"] : message.content;
  return { toolCallId: result["call_id"], isError: result["status"] === "error", content };
}

function toolTurn(message: SessionMessage, timestamp: string, names: ReadonlyMap<string, string>): Turn {
  const result = toolResultOf(message);
  const name = result === undefined ? undefined : names.get(result.toolCallId);
  if (result === undefined || name === undefined) {
    // Providers reject a tool result without its tool call, so the result is converted to text.
    return { type: "steering", content: `[Result of an earlier tool call]\n${message.content}`, timestamp };
  }
  return { type: "tool_results", results: [{ type: "tool_result", name, ...result }], timestamp };
}

/** Converts the images of a message to the format for model requests. */
function imagesOf({ images = [] }: SessionMessage): ImagePart[] {
  return images.map(({ media_type: mediaType, data }) => ({ type: "image", mediaType, data }));
}

/** Maps the ids of a turn's tool calls to the names of the called tools. */
function callNames(turn: Turn): [string, string][] {
  return turn.type === "assistant" ? turn.toolCalls.map(({ id, name }) => [id, name]) : [];
}

function toTurn(message: SessionMessage, timestamp: string, names: Map<string, string>): Turn {
  switch (message.role) {
    case "system":
      return { type: "system", content: message.content, timestamp };
    case "user": {
      const images = imagesOf(message);
      return { type: "user", content: message.content, ...(images.length === 0 ? {} : { images }), timestamp };
    }
    case "assistant": {
      const toolCalls = toolCallsOf(message);
      for (const call of toolCalls) names.set(call.id, call.name);
      return { type: "assistant", content: message.content, toolCalls, usage: { ...NO_USAGE }, timestamp };
    }
    case "tool":
      return toolTurn(message, timestamp, names);
  }
}

/**
 * Converts the messages of a session input to a history and an input. System messages come first, tool results are
 * preserved, and the last user message is the input. The turns of an earlier conversation replace its messages. Throws
 * `input.invalid` if there is no user message. See custom-engine: multi-turn conversation.
 */
export function historyFromInput(
  input: SessionInput,
  timestamp: string,
  earlier?: Pick<EarlierConversation, "turns" | "from" | "to">,
): InputHistory {
  const messages: readonly (SessionMessage | TranscriptMessage)[] = input.messages;
  const last = messages.findLastIndex((message) => message.role === "user");
  const prompt = messages[last];
  if (prompt === undefined) {
    const problem = "it has no user message";
    throw new EngineError("input.invalid", { path: "messages", expected: "SessionInput", problem });
  }
  const { turns = [], from = 0, to = 0 } = earlier ?? {};
  const names = new Map(turns.flatMap(callNames));
  const before = [...messages.slice(0, from), ...messages.slice(to, last)].map((message) =>
    toTurn(message, timestamp, names),
  );
  const late = messages.slice(last + 1).filter((message) => message.role === "system");
  const system = [
    ...before.filter((turn) => turn.type === "system"),
    ...late.map((message) => toTurn(message, timestamp, names)),
  ];
  const rest = before.filter((turn) => turn.type !== "system");
  return {
    history: [...system, ...turns, ...rest],
    input: { text: prompt.content, images: imagesOf(prompt) },
    ignored: messages.length - 1 - last - late.length,
  };
}
