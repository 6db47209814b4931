import type { Message, ModelRequest, Part, ToolDefinition, ToolResultPart } from "@switchyard/contracts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Decodes a request in the wire format of Anthropic's Messages API: model, tools and messages. Token limits and
 * `cache_control` fields are left out, because they are not compared with a recording. Throws `TypeError` for unknown
 * content.
 */
export function decodeRequest(body: unknown): ModelRequest {
  const fields = asFields(body, "the request");
  const names = new Map<string, string>();
  const messages = asList(fields["messages"], "messages").flatMap((message) => decodeMessage(message, names));
  const system = decodeText(fields["system"] ?? []);
  return {
    model: asText(fields["model"], "model"),
    messages: system === "" ? messages : [{ role: "system", parts: [{ type: "text", text: system }] }, ...messages],
    tools: asList(fields["tools"] ?? [], "tools").map(decodeTool),
  };
}

function decodeTool(value: unknown): ToolDefinition {
  const fields = asFields(value, "a tool");
  return {
    name: asText(fields["name"], "the name of a tool"),
    description: asText(fields["description"], "the description of a tool"),
    parameters: asFields(fields["input_schema"], "the schema of a tool"),
  };
}

function decodeMessage(value: unknown, names: Map<string, string>): Message[] {
  const fields = asFields(value, "a message");
  const content = fields["content"];
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : asList(content, "content");
  if (fields["role"] === "assistant")
    return [{ role: "assistant", parts: blocks.map((block) => decodeBlock(block, names)) }];
  const parts = blocks.map((block) => decodeBlock(block, names));
  const results = parts.filter((part) => part.type === "tool_result");
  const others = parts.filter((part) => part.type !== "tool_result");
  const messages: Message[] = [];
  if (results.length > 0) messages.push({ role: "tool", parts: results });
  if (others.length > 0) messages.push({ role: "user", parts: others });
  return messages;
}

function decodeBlock(value: unknown, names: Map<string, string>): Part {
  const block = asFields(value, "a content block");
  const kind = asText(block["type"], "the type of a content block");
  if (kind === "text") return { type: "text", text: asText(block["text"], "text") };
  if (kind === "tool_use") return decodeCall(block, names);
  if (kind === "tool_result") return decodeResult(block, names);
  return { type: "unknown", kind, value };
}

function decodeCall(block: Fields, names: Map<string, string>): Part {
  const id = asText(block["id"], "the id of a call");
  const name = asText(block["name"], "the name of a called tool");
  names.set(id, name);
  return { type: "tool_call", id, name, arguments: JSON.stringify(block["input"]) };
}

function decodeResult(block: Fields, names: Map<string, string>): ToolResultPart {
  const toolCallId = asText(block["tool_use_id"], "the id of a tool result");
  return {
    type: "tool_result",
    toolCallId,
    name: names.get(toolCallId) ?? "",
    content: decodeText(block["content"] ?? ""),
    isError: block["is_error"] === true,
  };
}

function decodeText(value: unknown): string {
  if (typeof value === "string") return value;
  const texts = asList(value, "a text").map((block) => asText(asFields(block, "a text block")["text"], "text"));
  return texts.join("\n\n");
}

function asFields(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`${what} is not an object`);
  return Object.fromEntries(Object.entries(value));
}

function asList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`${what} is not an array`);
  return value;
}

function asText(value: unknown, what: string): string {
  if (typeof value !== "string") throw new TypeError(`${what} is not a string`);
  return value;
}
