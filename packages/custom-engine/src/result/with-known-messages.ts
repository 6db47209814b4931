import { isRecord } from "../json/is-record.ts";

/**
 * Additional roles in transcripts of the evaluation tool skill-up, and the corresponding roles of the transcript
 * contract.
 */
const ROLES: Readonly<Record<string, string>> = { tool_call: "assistant", tool_result: "tool", error: "assistant" };

/**
 * Returns a result whose transcript has only messages of the contract. Skill-up writes each tool call as two messages,
 * `tool_call` and `tool_result`. They become a message with `tool_calls` and a `tool_result`. Everything else stays as
 * it is.
 */
export function withKnownMessages(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { transcript } = given;
  if (!Array.isArray(transcript)) return { ...given };
  const messages: unknown[] = transcript;
  return { ...given, transcript: messages.map(toKnown) };
}

function toKnown(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const { role, content, tool_call: call } = message;
  const known = typeof role === "string" && Object.hasOwn(ROLES, role) ? ROLES[role] : undefined;
  const calls = isRecord(call) && message["tool_calls"] === undefined ? { tool_calls: [toCall(call)] } : {};
  if (known === undefined && !("tool_calls" in calls)) return message;
  const { tool_result: result } = message;
  const text = isRecord(result) && typeof result["content"] === "string" ? result["content"] : "";
  return { ...message, role: known ?? role, content: content ?? text, ...calls };
}

function toCall({ id, name, arguments: given }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { id: id ?? "", name, arguments: typeof given === "string" ? given : JSON.stringify(given ?? {}) };
}
