import type {
  FramePart,
  ResponseCall,
  ResponseContent,
  ResponseEnding,
  TokenCount,
  WireFrame,
} from "../response-content.ts";

const REASONS: Readonly<Record<Exclude<ResponseEnding, "usual">, string>> = {
  ...{ stop: "stop", calls: "tool_calls", length: "length", error: "error", filter: "content_filter" },
};

function reasonOf({ end, calls }: ResponseContent): string | null {
  if (end === undefined) return null;
  return REASONS[end === "usual" ? (calls.length > 0 ? "calls" : "stop") : end];
}

function usageOf({ inputTokens, outputTokens }: TokenCount): object {
  return {
    ...{ prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
  };
}

function callFrames(call: ResponseCall, index: number): readonly object[] {
  const position = call.hasIndex ? { index } : {};
  const [first = "", ...further] = call.pieces;
  const opening = { ...position, id: call.id, type: "function", function: { name: call.name, arguments: first } };
  return [opening, ...further.map((piece) => ({ ...position, function: { arguments: piece } }))];
}

/** Returns the events of a streamed response of OpenAI's Chat Completions API. */
export function chatFrames(response: ResponseContent): readonly WireFrame[] {
  const envelope = { id: response.id, object: "chat.completion.chunk", created: 1, model: response.model };
  const frame = (part: FramePart, delta: object, reason: string | null = null): WireFrame => ({
    part,
    data: JSON.stringify({ ...envelope, choices: [{ index: 0, delta, finish_reason: reason }] }),
  });
  const content = [
    { ...frame("start", { role: "assistant", content: "" }), isRepeatable: true },
    ...response.reasoning.map((text) => frame("reasoning", { reasoning_content: text })),
    ...response.text.map((text) => frame("text", { content: text })),
    ...response.calls.flatMap(callFrames).map((call) => frame("arguments", { tool_calls: [call] })),
  ];
  const reason = reasonOf(response);
  if (reason === null) return content;
  const usage = JSON.stringify({ ...envelope, choices: [], usage: usageOf(response.usage) });
  return [
    ...content,
    { ...frame("end", {}, reason), isRepeatable: true },
    { part: "end", data: usage, usage: response.usage, isRepeatable: true },
    { part: "end", data: "[DONE]" },
  ];
}

/** Returns a complete response of OpenAI's Chat Completions API. */
export function chatBody(response: ResponseContent): object {
  const { id, model, reasoning, text, calls, usage } = response;
  const message = {
    ...{ role: "assistant", content: text.join("") },
    ...(reasoning.length === 0 ? {} : { reasoning_content: reasoning.join("") }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toCall) }),
  };
  const choices = [{ index: 0, message, finish_reason: reasonOf(response) }];
  return { ...{ id, object: "chat.completion", created: 1, model }, choices, usage: usageOf(usage) };
}

function toCall({ id, name, pieces }: ResponseCall): object {
  return { id, type: "function", function: { name, arguments: pieces.join("") } };
}
