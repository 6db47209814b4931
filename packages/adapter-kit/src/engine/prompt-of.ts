import type { SessionInput, SessionMessage } from "@switchyard/contracts";

const NAMES: Readonly<Record<SessionMessage["role"], string>> = {
  system: "Instructions",
  user: "User",
  assistant: "Assistant",
  tool: "Tool",
};

/**
 * What an agent is asked for a session: its last user message, with the conversation before it where the agent does
 * not know that. A message alone arrives byte for byte.
 */
export function promptOf(
  { messages }: Pick<SessionInput, "messages">,
  knowsConversation: boolean,
  images: readonly string[] = [],
): string {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const asked = withImages(messages[last]?.content ?? "", images);
  const before = messages.slice(0, Math.max(0, last)).filter(({ role }) => !knowsConversation || role === "system");
  if (before.length === 0) return asked;
  const told = before.map(({ role, content }) => `[${NAMES[role]}]\n${content}`);
  return `What came before:\n\n${told.join("\n\n")}\n\nWhat you are asked now:\n\n${asked}`;
}

/** Agents look at files that they are told of. */
function withImages(text: string, paths: readonly string[]): string {
  if (paths.length === 0) return text;
  const told = paths.map((path) => `- ${path}`).join("\n");
  return `${text}\n\nPictures that belong to this, look at them first:\n${told}`.trimStart();
}

const CUT_OFF =
  "Your work on the task below was cut off, and nobody knows how far it had come. Look at what is there before you change anything or run anything again, then finish the task.";

/** True for the prompt of a turn that was cut off before. */
export function isResumedPrompt(prompt: string): boolean {
  return prompt.startsWith(CUT_OFF);
}

/** What an agent is told whose turn was cut off: it must see that things may have been done. D5. */
export function resumedPrompt(prompt: string): string {
  // A turn may be cut off several times.
  return isResumedPrompt(prompt) ? prompt : `${CUT_OFF}\n\n${prompt}`;
}

/** A prompt as it was before its turn was cut off. */
export function originalPrompt(prompt: string): string {
  return isResumedPrompt(prompt) ? prompt.slice(CUT_OFF.length).trimStart() : prompt;
}
