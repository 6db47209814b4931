import type { ModelApi } from "./model-api.ts";
import { isObject, type JsonObject, objectOf, objectsOf, parsedJson } from "./plain-json.ts";

/** Patterns of tool names and call ids that the APIs accept. */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const OPENAI_ID = /^.{1,64}$/s;
const ANTHROPIC_ID = /^[a-zA-Z0-9_-]+$/;

class Problems {
  readonly found: string[] = [];

  expect(holds: boolean, problem: string): void {
    if (!holds) this.found.push(problem);
  }
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function fits(pattern: RegExp, value: unknown): boolean {
  return typeof value === "string" && pattern.test(value);
}

function sameInOrder(left: readonly unknown[], right: readonly unknown[]): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function checkResult({ content }: JsonObject, problems: Problems): void {
  for (const part of objectsOf(content)) {
    if (part["type"] === "text") problems.expect(isText(part["text"]), "an empty text in a result");
  }
}

function checkCall({ id, name, input }: JsonObject, problems: Problems): void {
  problems.expect(fits(ANTHROPIC_ID, id), `call id ${JSON.stringify(id)}`);
  problems.expect(fits(NAME, name), `tool name ${JSON.stringify(name)}`);
  problems.expect(isObject(input), "the input is not an object");
}

/**
 * For each type of content block, the role of the messages that may contain it. Text blocks are allowed in all
 * messages.
 */
const SPEAKERS: ReadonlyMap<unknown, string> = new Map([
  ["thinking", "assistant"],
  ["redacted_thinking", "assistant"],
  ["tool_use", "assistant"],
  ["tool_result", "user"],
  ["image", "user"],
]);

function checkAnthropicBlock(block: JsonObject, role: unknown, problems: Problems): void {
  const { type } = block;
  problems.expect(type === "text" || SPEAKERS.get(type) === role, `a block of type ${type} of the ${role}`);
  if (type === "text") problems.expect(isText(block["text"]), "an empty text");
  if (type === "thinking") problems.expect(isText(block["signature"]), "thinking without a signature");
  if (type === "redacted_thinking") problems.expect(isText(block["data"]), "redacted thinking without data");
  if (type === "image") {
    const { data, url } = objectOf(block["source"]);
    problems.expect(isText(data ?? url), "an image without data");
  }
  if (type === "tool_use") checkCall(block, problems);
  if (type === "tool_result") checkResult(block, problems);
}

function blocksOf({ content }: JsonObject): readonly JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
}

/** Returns the ids in the given field of all content blocks of one type. */
function idsOf(blocks: readonly JsonObject[], type: string, field: string): unknown[] {
  return blocks.filter((block) => block["type"] === type).map((block) => block[field]);
}

/** Returns the reasons for which Anthropic's Messages API would reject a request. */
function anthropicProblems(body: JsonObject): Problems {
  const problems = new Problems();
  const messages = objectsOf(body["messages"]);
  for (const block of objectsOf(body["system"])) problems.expect(isText(block["text"]), "empty system block");
  problems.expect(messages[0]?.["role"] === "user", "the first message is not the user's");
  problems.expect(messages.at(-1)?.["role"] === "user", "the last message is not the user's");
  const seen = new Set<unknown>();
  messages.forEach((message, index) => {
    const { role } = message;
    const before = index === 0 ? undefined : messages[index - 1];
    if (before !== undefined) problems.expect(role !== before["role"], `two messages of the ${role} in a row`);
    const blocks = blocksOf(message);
    problems.expect(blocks.length > 0, "a message without content");
    for (const block of blocks) checkAnthropicBlock(block, role, problems);
    for (const id of idsOf(blocks, "tool_use", "id")) {
      problems.expect(!seen.has(id), `call id ${id} twice`);
      seen.add(id);
    }
    const firstOther = blocks.findIndex(({ type }) => type !== "tool_result");
    const results = idsOf(blocks, "tool_result", "tool_use_id");
    if (firstOther >= 0) problems.expect(firstOther >= results.length, "a result behind something else");
    const calls = before === undefined ? [] : idsOf(blocksOf(before), "tool_use", "id");
    if (role === "user") problems.expect(sameInOrder(calls, results), `calls ${calls} have results ${results}`);
  });
  return problems;
}

function isJsonObject(text: unknown): boolean {
  return isObject(parsedJson(text));
}

/** Checks the items of a request to the Responses API, in order, and collects the problems. */
class OpenAiItems {
  readonly problems = new Problems();
  readonly #seen = new Set<unknown>();
  #open: unknown[] = [];
  #wasReasoning = false;

  take(item: JsonObject): void {
    const { type = "message", role } = item;
    if (this.#wasReasoning)
      this.problems.expect(type !== "message" || role === "assistant", "reasoning without its item");
    this.#wasReasoning = type === "reasoning";
    if (type === "function_call_output") this.#takeOutput(item);
    else if (type === "function_call") this.#takeCall(item);
    else this.#takeOther(item, type);
  }

  end(): Problems {
    this.#expectNoneOpen();
    return this.problems;
  }

  #expectNoneOpen(): void {
    this.problems.expect(this.#open.length === 0, `calls without a result: ${this.#open}`);
    this.#open = [];
  }

  #takeOutput({ call_id: id, output }: JsonObject): void {
    this.problems.expect(this.#open.shift() === id, `result of ${id} in the wrong place`);
    this.problems.expect(typeof output === "string" || Array.isArray(output), "a result without output");
  }

  #takeCall({ call_id: id, name, arguments: args }: JsonObject): void {
    this.problems.expect(!this.#seen.has(id), `call id ${id} twice`);
    this.problems.expect(fits(OPENAI_ID, id), `call id ${id}`);
    this.problems.expect(fits(NAME, name), `tool name ${JSON.stringify(name)}`);
    this.problems.expect(isJsonObject(args), "the arguments are not an object");
    this.#seen.add(id);
    this.#open.push(id);
  }

  #takeOther({ content, encrypted_content: encrypted }: JsonObject, type: unknown): void {
    this.#expectNoneOpen();
    if (type === "reasoning") {
      this.problems.expect(isText(encrypted), "reasoning without its content");
      return;
    }
    this.problems.expect(type === "message", `item of type ${type}`);
    const parts = typeof content === "string" ? [{ text: content }] : objectsOf(content);
    this.problems.expect(parts.length > 0, "a message without content");
    for (const part of parts) if ("text" in part) this.problems.expect(isText(part["text"]), "an empty text");
  }
}

/** Returns the reasons for which OpenAI's Responses API would reject a request. */
function openAiProblems({ input }: JsonObject): Problems {
  const items = new OpenAiItems();
  items.problems.expect(Array.isArray(input), "no list of items");
  for (const item of objectsOf(input)) items.take(item);
  return items.end();
}

function checkGeminiPart(part: JsonObject, role: unknown, problems: Problems): void {
  if ("functionCall" in part) {
    const { name, args } = objectOf(part["functionCall"]);
    problems.expect(role === "model", "a call of the user");
    problems.expect(fits(NAME, name), `tool name ${JSON.stringify(name)}`);
    problems.expect(isObject(args), "args is not an object");
  } else if ("functionResponse" in part) problems.expect(role === "user", "a result of the model");
  else if ("text" in part) {
    // A thinking part of the model may have an empty text: a client must send such parts back unchanged.
    const isSigned = part["thought"] === true && part["thoughtSignature"] !== undefined;
    problems.expect(isSigned || isText(part["text"]), "an empty text");
  } else problems.expect("inlineData" in part || "fileData" in part, `part ${Object.keys(part)}`);
}

/** Returns the function names in the calls, or in the results, among the parts of a message. */
function namesIn(parts: readonly JsonObject[], kind: "functionCall" | "functionResponse"): unknown[] {
  return parts.flatMap((part) => (kind in part ? [objectOf(part[kind])["name"]] : []));
}

/** Returns the reasons for which Gemini's `generateContent` would reject a request. */
function geminiProblems(body: JsonObject): Problems {
  const problems = new Problems();
  const contents = objectsOf(body["contents"]);
  problems.expect(contents[0]?.["role"] === "user", "the first content is not the user's");
  problems.expect(contents.at(-1)?.["role"] === "user", "the last content is not the user's");
  let calls: unknown[] = [];
  for (const { role, parts: items } of contents) {
    const parts = objectsOf(items);
    problems.expect(parts.length > 0, "a content without parts");
    for (const part of parts) checkGeminiPart(part, role, problems);
    const answered = namesIn(parts, "functionResponse");
    problems.expect(sameInOrder(calls, answered), `calls of ${calls} have results of ${answered}`);
    calls = namesIn(parts, "functionCall");
  }
  problems.expect(calls.length === 0, "calls without a result");
  return problems;
}

/** Checks the messages of a request to the Chat Completions API, in order, and collects the problems. */
class ChatMessages {
  readonly problems = new Problems();
  readonly #seen = new Set<unknown>();
  #open = new Set<unknown>();

  take(message: JsonObject): void {
    const { role } = message;
    if (role === "tool") {
      this.#takeResult(message);
      return;
    }
    this.#expectNoneOpen();
    if (role === "assistant") this.#takeAssistant(message);
    else {
      this.problems.expect(role === "user" || role === "system" || role === "developer", `a message of the ${role}`);
      this.problems.expect(hasContent(message), `an empty message of the ${role}`);
    }
  }

  end(): Problems {
    this.#expectNoneOpen();
    return this.problems;
  }

  #expectNoneOpen(): void {
    this.problems.expect(this.#open.size === 0, `calls without a result: ${[...this.#open]}`);
    this.#open = new Set();
  }

  #takeResult({ tool_call_id: id, content }: JsonObject): void {
    this.problems.expect(this.#open.delete(id), `result of ${id} in the wrong place`);
    this.problems.expect(typeof content === "string" || Array.isArray(content), "a result without content");
  }

  #takeAssistant(message: JsonObject): void {
    const calls = objectsOf(message["tool_calls"]);
    this.problems.expect(calls.length > 0 || hasContent(message), "an assistant message without content");
    for (const { id, function: called } of calls) {
      const { name, arguments: args } = objectOf(called);
      this.problems.expect(fits(OPENAI_ID, id), `call id ${JSON.stringify(id)}`);
      this.problems.expect(!this.#seen.has(id), `call id ${id} twice`);
      this.problems.expect(fits(NAME, name), `tool name ${JSON.stringify(name)}`);
      this.problems.expect(isJsonObject(args), "the arguments are not an object");
      this.#seen.add(id);
      this.#open.add(id);
    }
  }
}

function hasContent({ content }: JsonObject): boolean {
  return Array.isArray(content) ? content.length > 0 : isText(content);
}

/** Returns the reasons for which OpenAI's Chat Completions API would reject a request. */
function chatProblems({ messages }: JsonObject): Problems {
  const conversation = new ChatMessages();
  const list = objectsOf(messages);
  conversation.problems.expect(list.length > 0, "no messages");
  conversation.problems.expect(list.at(-1)?.["role"] !== "assistant", "the last message is the assistant's");
  for (const message of list) conversation.take(message);
  return conversation.end();
}

const CHECKS: Readonly<Record<ModelApi, (body: JsonObject) => Problems>> = {
  "openai-chat": chatProblems,
  anthropic: anthropicProblems,
  openai: openAiProblems,
  gemini: geminiProblems,
};

/**
 * Returns every reason for which the real API would reject a request: roles that do not alternate, tool calls without
 * exactly one result, duplicate ids, empty texts, and others. Empty for a valid request.
 */
export function modelRequestProblems(api: ModelApi, body: unknown): readonly string[] {
  return CHECKS[api](objectOf(body)).found;
}
