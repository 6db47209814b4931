import type { SessionInput, SessionMessage } from "@switchyard/contracts";

const NAMES: Readonly<Record<SessionMessage["role"], string>> = {
  system: "Instructions",
  user: "User",
  assistant: "Assistant",
  tool: "Tool",
};

/**
 * Returns the prompt for an agent: the last user message, preceded by the conversation if the agent does not know the
 * conversation. Without preceding messages, the prompt is the user message, byte for byte.
 */
export function promptOf(
  { messages }: Pick<SessionInput, "messages">,
  knowsConversation: boolean,
  images: readonly string[] = [],
): string {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const message = withImages(messages[last]?.content ?? "", images);
  const before = messages.slice(0, Math.max(0, last)).filter(({ role }) => !knowsConversation || role === "system");
  if (before.length === 0) return message;
  const lines = before.map(({ role, content }) => `[${NAMES[role]}]\n${content}`);
  return `Earlier messages:\n\n${lines.join("\n\n")}\n\nCurrent message:\n\n${message}`;
}

/** Returns the prompt with the paths of image files appended, so that the agent can read them. */
function withImages(text: string, paths: readonly string[]): string {
  if (paths.length === 0) return text;
  const lines = paths.map((path) => `- ${path}`).join("\n");
  return `${text}\n\nImages of this message. Look at them first:\n${lines}`.trimStart();
}

const CUT_OFF =
  "Your work on the task below was cut off, and it is unknown how much of it is done. Check the current state before you change anything or run anything again, then finish the task.";

/** Returns true for the prompt of an interrupted turn. */
export function isResumedPrompt(prompt: string): boolean {
  return prompt.startsWith(CUT_OFF);
}

/**
 * Returns a prompt that tells the agent that its turn was interrupted and may have had effects. See durability promise
 * D5.
 */
export function resumedPrompt(prompt: string): string {
  // A turn may be interrupted several times, but the warning is added only once.
  return isResumedPrompt(prompt) ? prompt : `${CUT_OFF}\n\n${prompt}`;
}

/** Returns a prompt without the warning that its turn was interrupted. */
export function originalPrompt(prompt: string): string {
  return isResumedPrompt(prompt) ? prompt.slice(CUT_OFF.length).trimStart() : prompt;
}
