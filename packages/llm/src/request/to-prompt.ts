import type { LanguageModelV3Message, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { type Message, type Part, type ToolResultPart, textOf } from "@switchyard/contracts";
import { createCallIdMap } from "./call-id-map.ts";
import type { PromptRules } from "./prompt-rules.ts";
import { type AssistantContext, toAssistantMessage } from "./to-assistant-message.ts";
import { toToolMessage } from "./to-tool-message.ts";
import { toUserMessage } from "./to-user-message.ts";

function isToolResult(part: Part): part is ToolResultPart {
  return part.type === "tool_result";
}

/**
 * Converts instructions: initial instructions become the system prompt. Later instructions become user text if the API
 * accepts system messages only at the beginning.
 */
function toSystemMessage(message: Message, leading: boolean, rules: PromptRules): LanguageModelV3Message {
  const content = textOf(message).toWellFormed();
  if (leading || rules.dialect.lateSystemMessages) return { role: "system", content };
  return { role: "user", content: [{ type: "text", text: `<system>\n${content}\n</system>` }] };
}

/**
 * Converts a user message: tool results come first, because results must follow the tool calls immediately, then the
 * user's text. Images that a result cannot contain follow the last result.
 */
function toInputMessages(message: Message, context: AssistantContext): LanguageModelV3Message[] {
  const { rules, heldImages } = context;
  const results = message.parts.filter(isToolResult);
  const rest = message.parts.filter((part) => !isToolResult(part));
  const converted: LanguageModelV3Message[] = [];
  if (results.length > 0) converted.push(toToolMessage(results, rules, context));
  if (rules.dialect.toolImages === false) for (const { images = [] } of results) heldImages.push(...images);
  if (rest.length > 0 || results.length === 0) converted.push(toUserMessage([...heldImages.splice(0), ...rest], rules));
  return converted;
}

function pushMessage(prompt: LanguageModelV3Prompt, message: Message, context: AssistantContext): void {
  const { rules, heldImages } = context;
  const { role, parts } = message;
  if (role !== "assistant" && (heldImages.length > 0 || parts.some(isToolResult))) {
    prompt.push(...toInputMessages(message, context));
    return;
  }
  if (heldImages.length > 0) prompt.push(toUserMessage(heldImages.splice(0), rules));
  const converted = role === "assistant" ? toAssistantMessage(message, context) : toUserMessage(parts, rules);
  if (converted !== undefined) prompt.push(converted);
}

/** Adds options for an API family to a message's provider options. */
function mark(prompt: LanguageModelV3Prompt, index: number, rules: PromptRules): void {
  const message = prompt[index];
  if (message === undefined || rules.cacheMark === undefined) return;
  message.providerOptions = { ...message.providerOptions, [rules.dialect.namespace]: rules.cacheMark };
}

/**
 * Marks the end of the instructions and the last two messages with user text or tool results as cached, because the
 * next request repeats them.
 */
function markCachedPrefix(prompt: LanguageModelV3Prompt): readonly number[] {
  const lastSystem = prompt.findLastIndex((message) => message.role === "system");
  const last = prompt.length - 1;
  const lastAssistant = prompt.findLastIndex((message, index) => message.role === "assistant" && index < last);
  return [...new Set([lastSystem, lastAssistant - 1, last])].filter((index) => {
    const role = prompt[index]?.role;
    return role === "user" || role === "tool" || (role === "system" && index === lastSystem);
  });
}

/**
 * Converts the messages of a request to the AI SDK's prompt for one API family. Lone surrogates, which result from
 * truncation, are replaced because APIs reject a request that contains one. Throws `llm.unsupported_part`. See
 * unified-llm-client: messages.
 */
export function toPrompt(messages: readonly Message[], rules: PromptRules): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = [];
  const context: AssistantContext = {
    rules,
    own: true,
    heldImages: [],
    ids: createCallIdMap(rules.dialect.callIds),
    metadata: new Map(),
  };
  let leading = true;
  for (const message of messages) {
    if (message.role === "system" || message.role === "developer") {
      const previous = rules.dialect.oneSystemMessage === true ? prompt.at(-1) : undefined;
      if (leading && previous?.role === "system") previous.content += `\n\n${textOf(message).toWellFormed()}`;
      else prompt.push(toSystemMessage(message, leading, rules));
      continue;
    }
    leading = false;
    pushMessage(prompt, message, context);
  }
  if (context.heldImages.length > 0) prompt.push(toUserMessage(context.heldImages, rules));
  if (rules.cacheMark !== undefined) for (const index of markCachedPrefix(prompt)) mark(prompt, index, rules);
  return prompt;
}
