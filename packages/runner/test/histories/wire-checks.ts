/** The three wire formats. */
export type Family = "openai" | "anthropic" | "gemini";

/** An object of a request, whatever it holds. */
type Body = Readonly<Record<string, unknown>>;

/** What the APIs take for names of tools and ids of calls. */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const OPENAI_ID = /^.{1,64}$/s;
const ANTHROPIC_ID = /^[a-zA-Z0-9_-]+$/;

class Problems {
  readonly found: string[] = [];

  expect(holds: boolean, problem: string): void {
    if (!holds) this.found.push(problem);
  }
}

function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object; an empty one in the place of anything else. */
function bodyOf(value: unknown): Body {
  return isBody(value) ? value : {};
}

/** The objects of a list; none of anything else. */
function bodiesOf(value: unknown): readonly Body[] {
  return Array.isArray(value) ? value.map(bodyOf) : [];
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

function checkResult({ content }: Body, problems: Problems): void {
  for (const part of bodiesOf(content)) {
    if (part["type"] === "text") problems.expect(isText(part["text"]), "an empty text in a result");
  }
}

function checkCall({ id, name, input }: Body, problems: Problems): void {
  problems.expect(fits(ANTHROPIC_ID, id), `call id ${JSON.stringify(id)}`);
  problems.expect(fits(NAME, name), `tool name ${JSON.stringify(name)}`);
  problems.expect(isBody(input), "the input is no object");
}

/** Who may say what. */
const SPEAKERS: ReadonlyMap<unknown, string> = new Map([
  ["thinking", "assistant"],
  ["redacted_thinking", "assistant"],
  ["tool_use", "assistant"],
  ["tool_result", "user"],
  ["image", "user"],
]);

function checkAnthropicBlock(block: Body, role: unknown, problems: Problems): void {
  const { type } = block;
  problems.expect(type === "text" || SPEAKERS.get(type) === role, `a block of type ${type} of the ${role}`);
  if (type === "text") problems.expect(isText(block["text"]), "an empty text");
  if (type === "thinking") problems.expect(isText(block["signature"]), "thinking without a signature");
  if (type === "redacted_thinking") problems.expect(isText(block["data"]), "redacted thinking without data");
  if (type === "image") {
    const { data, url } = bodyOf(block["source"]);
    problems.expect(isText(data ?? url), "an image without data");
  }
  if (type === "tool_use") checkCall(block, problems);
  if (type === "tool_result") checkResult(block, problems);
}

function blocksOf({ content }: Body): readonly Body[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : bodiesOf(content);
}

/** The ids that blocks of a type have in a field. */
function idsOf(blocks: readonly Body[], type: string, field: string): unknown[] {
  return blocks.filter((block) => block["type"] === type).map((block) => block[field]);
}

/** What the Messages API would refuse. */
function anthropicProblems(body: Body): Problems {
  const problems = new Problems();
  const messages = bodiesOf(body["messages"]);
  for (const block of bodiesOf(body["system"])) problems.expect(isText(block["text"]), "empty system block");
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
    const asked = before === undefined ? [] : idsOf(blocksOf(before), "tool_use", "id");
    if (role === "user") problems.expect(sameInOrder(asked, results), `calls ${asked} have results ${results}`);
  });
  return problems;
}

function isJsonObject(text: unknown): boolean {
  return typeof text === "string" && typeof JSON.parse(text) === "object";
}

/** The items of one request to the Responses API, in their order. */
class OpenAiItems {
  readonly problems = new Problems();
  readonly #seen = new Set<unknown>();
  #open: unknown[] = [];
  #wasReasoning = false;

  take(item: Body): void {
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

  #takeOutput({ call_id: id, output }: Body): void {
    this.problems.expect(this.#open.shift() === id, `result of ${id} in the wrong place`);
    this.problems.expect(typeof output === "string" || Array.isArray(output), "a result without output");
  }

  #takeCall({ call_id: id, name, arguments: args }: Body): void {
    this.problems.expect(!this.#seen.has(id), `call id ${id} twice`);
    this.problems.expect(fits(OPENAI_ID, id), `call id ${id}`);
    this.problems.expect(fits(NAME, name), `tool name ${JSON.stringify(name)}`);
    this.problems.expect(isJsonObject(args), "arguments are no object");
    this.#seen.add(id);
    this.#open.push(id);
  }

  #takeOther({ content, encrypted_content: encrypted }: Body, type: unknown): void {
    this.#expectNoneOpen();
    if (type === "reasoning") {
      this.problems.expect(isText(encrypted), "reasoning without its content");
      return;
    }
    this.problems.expect(type === "message", `item of type ${type}`);
    const parts = typeof content === "string" ? [{ text: content }] : bodiesOf(content);
    this.problems.expect(parts.length > 0, "a message without content");
    for (const part of parts) if ("text" in part) this.problems.expect(isText(part["text"]), "an empty text");
  }
}

/** What the Responses API would refuse. */
function openAiProblems({ input }: Body): Problems {
  const items = new OpenAiItems();
  items.problems.expect(Array.isArray(input), "no list of items");
  for (const item of bodiesOf(input)) items.take(item);
  return items.end();
}

function checkGeminiPart(part: Body, role: unknown, problems: Problems): void {
  if ("functionCall" in part) {
    const { name, args } = bodyOf(part["functionCall"]);
    problems.expect(role === "model", "a call of the user");
    problems.expect(fits(NAME, name), `tool name ${JSON.stringify(name)}`);
    problems.expect(isBody(args), "args are no object");
  } else if ("functionResponse" in part) problems.expect(role === "user", "a result of the model");
  else if ("text" in part) {
    // Its own thoughts come back as they were, empty or not.
    const isOwn = part["thought"] === true && part["thoughtSignature"] !== undefined;
    problems.expect(isOwn || isText(part["text"]), "an empty text");
  } else problems.expect("inlineData" in part || "fileData" in part, `part ${Object.keys(part)}`);
}

/** The names in parts of a kind. */
function namesIn(parts: readonly Body[], kind: "functionCall" | "functionResponse"): unknown[] {
  return parts.flatMap((part) => (kind in part ? [bodyOf(part[kind])["name"]] : []));
}

/** What generateContent would refuse. */
function geminiProblems(body: Body): Problems {
  const problems = new Problems();
  const contents = bodiesOf(body["contents"]);
  problems.expect(contents[0]?.["role"] === "user", "the first content is not the user's");
  problems.expect(contents.at(-1)?.["role"] === "user", "the last content is not the user's");
  let asked: unknown[] = [];
  for (const { role, parts: given } of contents) {
    const parts = bodiesOf(given);
    problems.expect(parts.length > 0, "a content without parts");
    for (const part of parts) checkGeminiPart(part, role, problems);
    const answered = namesIn(parts, "functionResponse");
    problems.expect(sameInOrder(asked, answered), `calls of ${asked} have results of ${answered}`);
    asked = namesIn(parts, "functionCall");
  }
  problems.expect(asked.length === 0, "calls without a result");
  return problems;
}

const CHECKS = { anthropic: anthropicProblems, openai: openAiProblems, gemini: geminiProblems } as const;

/** Everything for which the real API would refuse a request. */
export function problemsOf(family: Family, body: unknown): readonly string[] {
  return CHECKS[family](bodyOf(body)).found;
}
