import {
  type Message,
  type SessionInput,
  type SessionRole,
  type TranscriptMessage,
  textOf,
} from "@switchyard/contracts";

/**
 * Builds a session transcript from the messages of the main conversation (channel). Prepends the input messages if the
 * channel has no user message. See custom-engine: transcript contract.
 */
export function transcriptFromChannel(
  input: SessionInput | undefined,
  channel: readonly Message[],
): TranscriptMessage[] {
  const transcript = toTranscript(channel);
  const holdsInput = channel.some((message) => message.role === "user");
  return holdsInput ? transcript : [...(input?.messages ?? []), ...transcript];
}

/** Builds a transcript of only the input messages and the final message. See custom-engine: transcript contract. */
export function minimalTranscript(input: SessionInput | undefined, finalMessage: string): TranscriptMessage[] {
  return [...(input?.messages ?? []), { role: "assistant", content: finalMessage }];
}

/**
 * Returns the number of model turns in a transcript: the highest turn number or, if no message has a turn number, the
 * number of assistant messages. At least 1.
 */
export function turnsOf(transcript: readonly TranscriptMessage[]): number {
  const numbered = transcript.reduce((highest, message) => Math.max(highest, message.turn ?? 0), 0);
  if (numbered > 0) return numbered;
  return Math.max(1, transcript.filter((message) => message.role === "assistant").length);
}

function toTranscript(channel: readonly Message[]): TranscriptMessage[] {
  const transcript: TranscriptMessage[] = [];
  let turn = 0;
  for (const message of channel) {
    if (message.role === "assistant") turn++;
    if (message.role === "tool") transcript.push(...toolAnswers(message, turn));
    else transcript.push(toTranscriptMessage(message, turn));
  }
  return transcript;
}

function toTranscriptMessage(message: Message, turn: number): TranscriptMessage {
  const entry: TranscriptMessage = { role: toRole(message.role), content: textOf(message) };
  if (message.role !== "assistant") return entry;
  const calls = message.parts.filter((part) => part.type === "tool_call");
  entry.turn = turn;
  if (calls.length > 0) {
    entry.tool_calls = calls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments }));
  }
  return entry;
}

function toolAnswers(message: Message, turn: number): TranscriptMessage[] {
  const results = message.parts.filter((part) => part.type === "tool_result");
  return results.map((result) => ({
    role: "tool",
    content: result.content,
    ...(turn > 0 ? { turn } : {}),
    tool_result: { call_id: result.toolCallId, status: result.isError ? "error" : "ok", content: result.content },
  }));
}

function toRole(role: Message["role"]): SessionRole {
  return role === "developer" ? "system" : role;
}
