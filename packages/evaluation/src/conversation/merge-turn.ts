import type { SessionInput, SessionMessage, SessionResult, TranscriptMessage } from "@switchyard/contracts";

/** Returns the messages of the last turn in a result's transcript, without the user's message. */
export function turnMessages({ transcript = [], final_message: content }: SessionResult): TranscriptMessage[] {
  const last = transcript.findLastIndex(({ role }) => role === "user");
  const own = transcript.slice(last + 1);
  return own.length === 0 ? [{ role: "assistant", content }] : own;
}

/**
 * Returns the conversation to send to an engine that does not store it: the transcript of the result if it contains tool
 * calls and covers the whole input, otherwise the input and the final message.
 */
export function historyOf({ messages }: SessionInput, result: SessionResult): readonly SessionMessage[] {
  const { transcript = [], final_message: content } = result;
  const users = (list: readonly SessionMessage[]): number => list.filter(({ role }) => role === "user").length;
  const hasTools = transcript.some(({ tool_calls = [] }) => tool_calls.length > 0);
  if (hasTools && users(transcript) === users(messages)) return transcript;
  return [...messages, { role: "assistant", content }];
}

/** Adds the result of a turn to that of the earlier turns. */
export function mergeTurn(
  before: SessionResult | undefined,
  latest: SessionResult,
  { content, turn }: { readonly content: string; readonly turn: number },
): SessionResult {
  const user: TranscriptMessage = { role: "user", content, turn };
  const own = [user, ...turnMessages(latest).map((message) => ({ ...message, turn }))];
  const transcript = [...(before?.transcript ?? []), ...own];
  if (before === undefined) return { ...latest, turns: turn, transcript };
  return {
    ...latest,
    ...sum("duration_ms", before, latest),
    ...sum("input_tokens", before, latest),
    ...sum("output_tokens", before, latest),
    ...artifactsOf(before, latest),
    turns: turn,
    transcript,
  };
}

function sum(field: "duration_ms" | "input_tokens" | "output_tokens", left: SessionResult, right: SessionResult) {
  if (left[field] === undefined && right[field] === undefined) return {};
  return { [field]: (left[field] ?? 0) + (right[field] ?? 0) };
}

function artifactsOf({ artifacts: left }: SessionResult, { artifacts: right }: SessionResult): Partial<SessionResult> {
  if (left === undefined) return {};
  const files = [...(left.files ?? []), ...(right?.files ?? [])];
  const generated = [...new Set([...(left.generated_files ?? []), ...(right?.generated_files ?? [])])];
  const logs = [left.logs, right?.logs].filter((text) => text !== undefined && text !== "").join("\n");
  const diff = right?.workspace_diff ?? left.workspace_diff;
  return {
    artifacts: {
      ...(files.length === 0 ? {} : { files }),
      ...(generated.length === 0 ? {} : { generated_files: generated }),
      ...(logs === "" ? {} : { logs }),
      ...(diff === undefined ? {} : { workspace_diff: diff }),
    },
  };
}
