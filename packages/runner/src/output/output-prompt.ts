import type { SessionInput, SessionMessage, SessionResult } from "@switchyard/contracts";
import type { OutputOptions } from "./output-options.ts";

/** What the engine is told of the answer that is wanted, behind its task. */
function outputPrompt({ schema }: OutputOptions): string {
  return [
    "When the work is done, let your last message be one JSON document that fits this JSON Schema, and nothing else:",
    "no explanation, no Markdown.",
    "",
    JSON.stringify(schema),
  ].join("\n");
}

/** The input with the wish at the end of its last user message: every engine reads that one. */
export function withOutputPrompt(input: SessionInput, output: OutputOptions | undefined): SessionInput {
  const last = input.messages.findLastIndex(({ role }) => role === "user");
  const asked = input.messages[last];
  if (output === undefined || asked === undefined) return input;
  const messages = input.messages.with(last, { ...asked, content: `${asked.content}\n\n${outputPrompt(output)}` });
  return { ...input, messages };
}

/**
 * The input that asks for the answer again: the conversation so far and what is wrong with it. An engine that keeps the
 * conversation itself is told only that, so that nothing is done twice.
 */
export function repairInput(input: SessionInput, result: SessionResult, problem: string): SessionInput {
  const { session_id: sessionId, transcript = [], final_message: content } = result;
  const again: SessionMessage = {
    role: "user",
    content: [
      problem,
      "Send the whole document again so that it fits the JSON Schema, and nothing else. Do not do the work again.",
    ].join("\n"),
  };
  if (sessionId !== undefined && sessionId !== "") return { ...input, session_id: sessionId, messages: [again] };
  const said: readonly SessionMessage[] =
    transcript.length > 0 ? withImages(transcript, input) : [...input.messages, { role: "assistant", content }];
  return { ...input, messages: [...said, again] };
}

/** A transcript tells of no pictures: they go with the messages that they came with. */
function withImages(transcript: readonly SessionMessage[], { messages }: SessionInput): readonly SessionMessage[] {
  const seen = messages.filter(({ images = [] }) => images.length > 0);
  return transcript.map((message) => {
    const { images } = seen.find(({ role, content }) => role === message.role && content === message.content) ?? {};
    return images === undefined || message.images !== undefined ? message : { ...message, images };
  });
}
