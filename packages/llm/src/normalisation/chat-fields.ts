import { isRecord } from "../failure/error-info.ts";
import { asArguments, asNumber, asText, type JsonRecord, mapList, withFields } from "./normaliser.ts";

const COUNTS = ["prompt_tokens", "completion_tokens", "total_tokens"];
const DETAILS = ["prompt_tokens_details", "completion_tokens_details"];

function withNumbers(record: JsonRecord): JsonRecord {
  const changes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (name.endsWith("_tokens") && value !== null) changes[name] = asNumber(value);
  }
  return withFields(record, changes);
}

function usageOf(usage: unknown): unknown {
  if (!isRecord(usage)) return usage === null ? null : undefined;
  const changes: Record<string, unknown> = {};
  for (const name of COUNTS)
    if (usage[name] !== undefined && usage[name] !== null) changes[name] = asNumber(usage[name]);
  for (const name of DETAILS) {
    const details = usage[name];
    if (details !== undefined && details !== null) changes[name] = isRecord(details) ? withNumbers(details) : undefined;
  }
  return withFields(usage, changes);
}

/**
 * Normalises the fields of a response or chunk other than its choices: ids become strings, times and counts numbers.
 */
export function withChatEnvelope(response: JsonRecord): JsonRecord {
  const { id, created, model, usage } = response;
  const changes: Record<string, unknown> = {};
  if (id !== undefined && id !== null) changes["id"] = asText(id);
  if (created !== undefined && created !== null) changes["created"] = asNumber(created);
  if (model !== undefined && model !== null) changes["model"] = asText(model);
  if (usage !== undefined) changes["usage"] = usageOf(usage);
  return withFields(response, changes);
}

/**
 * Converts a tool call to the documented form. The name and arguments belong in the field `function`; some servers set
 * them on the call itself. Arguments become text: objects are serialised as JSON, and missing arguments are empty.
 */
export function withCallFields(call: JsonRecord): JsonRecord {
  const nested = call["function"];
  const source = isRecord(nested) ? nested : { name: call["name"], arguments: call["arguments"] ?? call["parameters"] };
  const fields = withFields(source, { arguments: asArguments(source["arguments"]) });
  const { id, index, extra_content: extra } = call;
  const changes: Record<string, unknown> = { function: fields };
  if (id !== undefined && id !== null) changes["id"] = asText(id);
  if (index !== undefined && index !== null) changes["index"] = asNumber(index);
  if (extra !== undefined && !isRecord(extra)) changes["extra_content"] = undefined;
  return withFields(call, changes);
}

/** Returns the tool calls of a message, including a single call outside a list and the legacy `function_call`. */
export function callsOf(message: JsonRecord): readonly JsonRecord[] | undefined {
  const { tool_calls: calls, function_call: call } = message;
  if (Array.isArray(calls) && (calls.length > 0 || !isRecord(call))) return calls.filter(isRecord);
  if (isRecord(calls)) return [calls];
  return isRecord(call) ? [{ function: call }] : undefined;
}

/** Normalises role, content and thinking of a message or delta. */
export function withMessageFields(message: JsonRecord): JsonRecord {
  const { role, content } = message;
  const changes: Record<string, unknown> = {};
  if (role !== undefined && role !== null && role !== "" && role !== "assistant") changes["role"] = "assistant";
  if (isRecord(content)) changes["content"] = [content];
  if (Array.isArray(content)) {
    changes["content"] = mapList(content, (part) => (typeof part === "string" ? { type: "text", text: part } : part));
  }
  for (const name of ["reasoning_content", "reasoning"]) {
    const thoughts = message[name];
    if (typeof thoughts === "object" && thoughts !== null) changes[name] = undefined;
  }
  return withFields(message, changes);
}

/** Returns a response or chunk with its first choice changed. */
export function withFirstChoice(response: JsonRecord, change: (choice: JsonRecord) => JsonRecord): JsonRecord {
  const { choices } = response;
  if (!Array.isArray(choices)) return response;
  const changed = mapList(choices, (choice, index) => (index === 0 && isRecord(choice) ? change(choice) : choice));
  return withFields(response, { choices: changed });
}
