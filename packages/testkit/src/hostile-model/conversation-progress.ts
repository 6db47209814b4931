import type { ModelApi } from "./model-api.ts";
import { isObject, type JsonObject, objectOf, objectsOf, parsedJson } from "./plain-json.ts";

/** Returns a copy of a JSON value with sorted object keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

/** Returns a key that identifies a tool call by name and arguments. Spacing and the order of fields have no effect. */
export function callKey(name: unknown, input: unknown): string {
  const value = typeof input === "string" ? parsedJson(input) : input;
  return JSON.stringify([name, sorted(value ?? input)]);
}

function itemsOf(body: JsonObject, field: string): readonly JsonObject[] {
  return objectsOf(body[field]);
}

const CALLS: Readonly<Record<ModelApi, (body: JsonObject) => readonly string[]>> = {
  "openai-chat": (body) =>
    itemsOf(body, "messages")
      .flatMap((message) => objectsOf(message["tool_calls"]))
      .map((call) => objectOf(call["function"]))
      .map(({ name, arguments: input }) => callKey(name, input)),
  openai: (body) =>
    itemsOf(body, "input")
      .filter(({ type }) => type === "function_call")
      .map(({ name, arguments: input }) => callKey(name, input)),
  anthropic: (body) =>
    itemsOf(body, "messages")
      .flatMap(({ content }) => objectsOf(content))
      .filter(({ type }) => type === "tool_use")
      .map(({ name, input }) => callKey(name, input)),
  gemini: (body) =>
    itemsOf(body, "contents")
      .flatMap(({ parts }) => objectsOf(parts))
      .filter((part) => "functionCall" in part)
      .map((part) => objectOf(part["functionCall"]))
      .map(({ name, args }) => callKey(name, args)),
};

/** Returns the keys of all tool calls in a request. */
export function callsOf(api: ModelApi, body: unknown): ReadonlySet<string> {
  return new Set(CALLS[api](objectOf(body)));
}
