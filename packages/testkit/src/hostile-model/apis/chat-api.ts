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
  const place = call.hasIndex ? { index } : {};
  const [first = "", ...further] = call.pieces;
  const opening = { ...place, id: call.id, type: "function", function: { name: call.name, arguments: first } };
  return [opening, ...further.map((piece) => ({ ...place, function: { arguments: piece } }))];
}

/** Returns the events of a streamed response of OpenAI's Chat Completions API. */
export function chatFrames(said: ResponseContent): readonly WireFrame[] {
  const envelope = { id: said.id, object: "chat.completion.chunk", created: 1, model: said.model };
  const frame = (part: FramePart, delta: object, reason: string | null = null): WireFrame => ({
    part,
    data: JSON.stringify({ ...envelope, choices: [{ index: 0, delta, finish_reason: reason }] }),
  });
  const content = [
    { ...frame("start", { role: "assistant", content: "" }), isRepeatable: true },
    ...said.reasoning.map((text) => frame("reasoning", { reasoning_content: text })),
    ...said.text.map((text) => frame("text", { content: text })),
    ...said.calls.flatMap(callFrames).map((call) => frame("arguments", { tool_calls: [call] })),
  ];
  const reason = reasonOf(said);
  if (reason === null) return content;
  const usage = JSON.stringify({ ...envelope, choices: [], usage: usageOf(said.usage) });
  return [
    ...content,
    { ...frame("end", {}, reason), isRepeatable: true },
    { part: "end", data: usage, usage: said.usage, isRepeatable: true },
    { part: "end", data: "[DONE]" },
  ];
}

/** Returns a complete response of OpenAI's Chat Completions API. */
export function chatBody(said: ResponseContent): object {
  const { id, model, reasoning, text, calls, usage } = said;
  const message = {
    ...{ role: "assistant", content: text.join("") },
    ...(reasoning.length === 0 ? {} : { reasoning_content: reasoning.join("") }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toCall) }),
  };
  const choices = [{ index: 0, message, finish_reason: reasonOf(said) }];
  return { ...{ id, object: "chat.completion", created: 1, model }, choices, usage: usageOf(usage) };
}

function toCall({ id, name, pieces }: ResponseCall): object {
  return { id, type: "function", function: { name, arguments: pieces.join("") } };
}
