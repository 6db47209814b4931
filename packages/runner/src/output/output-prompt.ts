import type { SessionInput, SessionMessage, SessionResult } from "@switchyard/contracts";
import type { OutputOptions } from "./output-options.ts";

/** Instruction, appended to the task, to end with a JSON document. */
function outputPrompt({ schema }: OutputOptions): string {
  return [
    "When the work is done, let your last message be one JSON document that fits this JSON Schema, and nothing else:",
    "no explanation, no Markdown.",
    "",
    JSON.stringify(schema),
  ].join("\n");
}

/** Appends the instruction to the last user message, which every engine reads. */
export function withOutputPrompt(input: SessionInput, output: OutputOptions | undefined): SessionInput {
  const last = input.messages.findLastIndex(({ role }) => role === "user");
  const prompt = input.messages[last];
  if (output === undefined || prompt === undefined) return input;
  const messages = input.messages.with(last, { ...prompt, content: `${prompt.content}\n\n${outputPrompt(output)}` });
  return { ...input, messages };
}

/**
 * Returns the input that asks the engine for a valid final message: the conversation so far and the problem with the
 * message. An engine that stores the conversation itself receives only the problem, so that the engine does not repeat
 * its work.
 */
export function repairInput(input: SessionInput, result: SessionResult, problem: string): SessionInput {
  const { session_id: sessionId, transcript = [], final_message: content } = result;
  const repair: SessionMessage = {
    role: "user",
    content: [
      problem,
      "Send the whole document again so that it fits the JSON Schema, and nothing else. Do not do the work again.",
    ].join("\n"),
  };
  if (sessionId !== undefined && sessionId !== "") return { ...input, session_id: sessionId, messages: [repair] };
  const conversation: readonly SessionMessage[] =
    transcript.length > 0 ? withImages(transcript, input) : [...input.messages, { role: "assistant", content }];
  return { ...input, messages: [...conversation, repair] };
}

/** Adds the input's images to the messages of a transcript, because transcripts contain no images. */
function withImages(transcript: readonly SessionMessage[], { messages }: SessionInput): readonly SessionMessage[] {
  const seen = messages.filter(({ images = [] }) => images.length > 0);
  return transcript.map((message) => {
    const { images } = seen.find(({ role, content }) => role === message.role && content === message.content) ?? {};
    return images === undefined || message.images !== undefined ? message : { ...message, images };
  });
}
