/** The three wire formats. */
export type Family = "openai" | "anthropic" | "gemini";

// biome-ignore lint/suspicious/noExplicitAny: bodies of three wire formats are looked into.
type Body = any;

/** What the APIs take for names of tools and ids of calls. */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
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

function sameInOrder(left: readonly unknown[], right: readonly unknown[]): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function checkResult({ content }: Body, problems: Problems): void {
  for (const part of Array.isArray(content) ? content : []) {
    if (part.type === "text") problems.expect(isText(part.text), "an empty text in a result");
  }
}

function checkCall({ id, name, input }: Body, problems: Problems): void {
  problems.expect(ANTHROPIC_ID.test(id), `call id ${JSON.stringify(id)}`);
  problems.expect(NAME.test(name), `tool name ${JSON.stringify(name)}`);
  problems.expect(typeof input === "object" && input !== null && !Array.isArray(input), "the input is no object");
}

/** Who may say what. */
const SPEAKERS: Readonly<Record<string, string>> = {
  thinking: "assistant",
  redacted_thinking: "assistant",
  tool_use: "assistant",
  tool_result: "user",
  image: "user",
};

function checkAnthropicBlock(block: Body, role: string, problems: Problems): void {
  const { type } = block;
  problems.expect(type === "text" || SPEAKERS[type] === role, `a block of type ${type} of the ${role}`);
  if (type === "text") problems.expect(isText(block.text), "an empty text");
  if (type === "thinking") problems.expect(isText(block.signature), "thinking without a signature");
  if (type === "redacted_thinking") problems.expect(isText(block.data), "redacted thinking without data");
  if (type === "image") problems.expect(isText(block.source?.data ?? block.source?.url), "an image without data");
  if (type === "tool_use") checkCall(block, problems);
  if (type === "tool_result") checkResult(block, problems);
}

/** What the Messages API would refuse. */
function anthropicProblems({ messages, system }: Body): Problems {
  const problems = new Problems();
  for (const block of Array.isArray(system) ? system : []) problems.expect(isText(block.text), "empty system block");
  problems.expect(messages[0]?.role === "user", "the first message is not the user's");
  problems.expect(messages.at(-1)?.role === "user", "the last message is not the user's");
  const seen = new Set<string>();
  messages.forEach((message: Body, index: number) => {
    const { role } = message;
    if (index > 0) problems.expect(role !== messages[index - 1].role, `two messages of the ${role} in a row`);
    const blocks: Body[] =
      typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
    problems.expect(blocks.length > 0, "a message without content");
    for (const block of blocks) checkAnthropicBlock(block, role, problems);
    const calls = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    for (const id of calls) {
      problems.expect(!seen.has(id), `call id ${id} twice`);
      seen.add(id);
    }
    const firstOther = blocks.findIndex(({ type }) => type !== "tool_result");
    const results = blocks.flatMap(({ type, tool_use_id: id }) => (type === "tool_result" ? [id] : []));
    if (firstOther >= 0) problems.expect(firstOther >= results.length, "a result behind something else");
    const before = index === 0 ? [] : messages[index - 1].content;
    const asked = (Array.isArray(before) ? before : []).flatMap(({ type, id }: Body) =>
      type === "tool_use" ? [id] : [],
    );
    if (role === "user") problems.expect(sameInOrder(asked, results), `calls ${asked} have results ${results}`);
  });
  return problems;
}

/** What the Responses API would refuse. */
function openAiProblems({ input }: Body): Problems {
  const problems = new Problems();
  const seen = new Set<string>();
  let open: string[] = [];
  let wasReasoning = false;
  for (const item of input) {
    const { type = "message" } = item;
    if (wasReasoning) problems.expect(type !== "message" || item.role === "assistant", "reasoning without its item");
    wasReasoning = type === "reasoning";
    if (type === "function_call_output") {
      problems.expect(open.shift() === item.call_id, `result of ${item.call_id} in the wrong place`);
      problems.expect(typeof item.output === "string" || Array.isArray(item.output), "a result without output");
      continue;
    }
    if (type === "function_call") {
      problems.expect(!seen.has(item.call_id), `call id ${item.call_id} twice`);
      problems.expect(item.call_id.length > 0 && item.call_id.length <= 64, `call id ${item.call_id}`);
      problems.expect(NAME.test(item.name), `tool name ${JSON.stringify(item.name)}`);
      problems.expect(typeof JSON.parse(item.arguments) === "object", "arguments are no object");
      seen.add(item.call_id);
      open.push(item.call_id);
      continue;
    }
    problems.expect(open.length === 0, `calls without a result: ${open}`);
    open = [];
    if (type === "reasoning") {
      problems.expect(isText(item.encrypted_content), "reasoning without its content");
      continue;
    }
    problems.expect(type === "message", `item of type ${type}`);
    const parts = typeof item.content === "string" ? [{ text: item.content }] : item.content;
    problems.expect(parts.length > 0, "a message without content");
    for (const part of parts) if ("text" in part) problems.expect(isText(part.text), "an empty text");
  }
  problems.expect(open.length === 0, `calls without a result: ${open}`);
  return problems;
}

function checkGeminiPart(part: Body, role: string, problems: Problems): void {
  if ("functionCall" in part) {
    problems.expect(role === "model", "a call of the user");
    problems.expect(NAME.test(part.functionCall.name), `tool name ${JSON.stringify(part.functionCall.name)}`);
    const { args } = part.functionCall;
    problems.expect(typeof args === "object" && args !== null && !Array.isArray(args), "args are no object");
  } else if ("functionResponse" in part) problems.expect(role === "user", "a result of the model");
  else if ("text" in part) {
    // Its own thoughts come back as they were, empty or not.
    const isOwn = part.thought === true && part.thoughtSignature !== undefined;
    problems.expect(isOwn || isText(part.text), "an empty text");
  } else problems.expect("inlineData" in part || "fileData" in part, `part ${Object.keys(part)}`);
}

/** What generateContent would refuse. */
function geminiProblems({ contents }: Body): Problems {
  const problems = new Problems();
  problems.expect(contents[0]?.role === "user", "the first content is not the user's");
  problems.expect(contents.at(-1)?.role === "user", "the last content is not the user's");
  contents.forEach(({ role, parts }: Body, index: number) => {
    problems.expect(parts.length > 0, "a content without parts");
    for (const part of parts) checkGeminiPart(part, role, problems);
    const before = index === 0 ? [] : contents[index - 1].parts;
    const asked = before.flatMap((part: Body) => ("functionCall" in part ? [part.functionCall.name] : []));
    const answered = parts.flatMap((part: Body) => ("functionResponse" in part ? [part.functionResponse.name] : []));
    problems.expect(sameInOrder(asked, answered), `calls of ${asked} have results of ${answered}`);
  });
  const last = contents.at(-1)?.parts ?? [];
  problems.expect(!last.some((part: Body) => "functionCall" in part), "calls without a result");
  return problems;
}

/** Everything for which the real API would refuse a request. */
export function problemsOf(family: Family, body: unknown): readonly string[] {
  const check = { anthropic: anthropicProblems, openai: openAiProblems, gemini: geminiProblems }[family];
  return check(body).found;
}
