import type { LanguageModelV3Message, LanguageModelV3ToolCallPart, SharedV3ProviderOptions } from "@ai-sdk/provider";
import {
  EngineError,
  type ImagePart,
  type Message,
  type Part,
  type ProviderMetadata,
  type RedactedThinkingPart,
  type ThinkingPart,
  type ToolCallPart,
  type UnknownPart,
} from "@switchyard/contracts";
import { isRecord, jsonValue } from "../failure/error-info.ts";
import type { CallIdMap } from "./call-id-map.ts";
import { isDeeperThan, isJsonObject, toJsonValue, underNamespace } from "./plain-data.ts";
import type { PromptRules } from "./prompt-rules.ts";
import { toFilePart } from "./to-media.ts";
import { toWireName } from "./to-wire-name.ts";

type Content = Extract<LanguageModelV3Message, { role: "assistant" }>["content"][number];

/** State of converting messages. */
export interface AssistantContext {
  /** Conversion rules. */
  rules: PromptRules;
  /** True if the message was created by the same provider and model to which this request is sent. */
  own: boolean;
  /**
   * Images of tool results. They are held back until the last of the results that follow the same assistant message.
   */
  heldImages: ImagePart[];
  /** Maps tool call ids to ids that the API accepts. */
  ids: CallIdMap;
  /** Provider metadata of the tool calls that were converted so far. */
  metadata: Map<string, SharedV3ProviderOptions>;
}

const SURROGATE = /\\ud[89a-f]/i;

/** Replaces lone surrogates in the texts and names of a JSON value. Returns the same value if there are none. */
function withWellFormedTexts(value: unknown): unknown {
  const text = JSON.stringify(value) ?? "";
  // `JSON.stringify` writes complete surrogate pairs as characters, so only lone surrogates are written as escapes.
  const repaired = text.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "$1\ufffd");
  return repaired === text ? value : jsonValue(repaired);
}

/** Maximum depth of arguments that are sent unchanged. No tool accepts more. */
const MAX_LEVELS = 64;

/**
 * Returns the arguments of a call. Texts that are not a JSON object, or are nested too deeply to be serialised, are
 * wrapped in an object, because providers accept only objects.
 */
function toInput(text: string, parsed: boolean): unknown {
  if (text.trim() === "") return {};
  const decoded = jsonValue(text);
  // Lone surrogates are searched after parsing, because in the JSON text they may be written as escapes.
  const value = SURROGATE.test(text) || !text.isWellFormed() ? withWellFormedTexts(decoded) : decoded;
  // Each level needs two brackets, so a short text cannot be nested too deeply and is not checked.
  const isTooDeep = isRecord(value) && text.length > 2 * MAX_LEVELS && isDeeperThan(value, MAX_LEVELS);
  if (!isRecord(value) || isTooDeep) return { invalid_arguments: text.toWellFormed() };
  // Otherwise the text itself is sent, so that a repeated prefix stays identical byte for byte.
  if (parsed) return value;
  return value === decoded ? text : JSON.stringify(value);
}

/** Returns whether a message was created by the provider and model that it is now sent to. */
function isOwnFamily(message: Message, rules: PromptRules): boolean {
  const { origin } = message;
  return origin === undefined || (origin.provider === rules.provider && origin.model === rules.model);
}

function toToolCall(
  part: ToolCallPart,
  options: SharedV3ProviderOptions | undefined,
  context: AssistantContext,
): Content {
  const call: LanguageModelV3ToolCallPart = {
    type: "tool-call",
    toolCallId: context.ids.toWire(part.id),
    toolName: toWireName(part.name, context.rules.wireNames),
    input: toInput(part.arguments, context.rules.dialect.parsedArguments === true),
  };
  if (options === undefined) return call;
  const { callFields, namespace } = context.rules.dialect;
  if (callFields === undefined) {
    call.providerOptions = options;
    context.metadata.set(part.id, options);
    return call;
  }
  const fields = callFields(options[namespace] ?? {});
  if (fields !== undefined) call.providerOptions = { [namespace]: fields };
  return call;
}

/** Returns whether Gemini would treat a call of its own tool as a caller's tool and wait for a result. */
function isMistakable(part: UnknownPart, rules: PromptRules, options: SharedV3ProviderOptions): boolean {
  if (part.kind !== "tool-call" || rules.dialect.family !== "gemini") return false;
  return options[rules.dialect.namespace]?.["serverToolCallId"] === undefined;
}

/** Returns parts of the provider's own tools, unchanged. */
function toProviderContent(part: UnknownPart, rules: PromptRules): Content | undefined {
  const { value } = part;
  if (!isRecord(value)) return undefined;
  const options = isRecord(value["providerMetadata"]) ? value["providerMetadata"] : {};
  const providerOptions: SharedV3ProviderOptions = {};
  for (const [name, entry] of Object.entries(options)) if (isJsonObject(entry)) providerOptions[name] = entry;
  if (isMistakable(part, rules, providerOptions)) return undefined;
  const toolCallId = String(value["toolCallId"]);
  const toolName = String(value["toolName"]);
  if (part.kind === "tool-call") {
    return { type: "tool-call", toolCallId, toolName, input: value["input"], providerExecuted: true, providerOptions };
  }
  if (part.kind === "tool-result") {
    const output = { type: "json" as const, value: toJsonValue(value["result"]) };
    return { type: "tool-result", toolCallId, toolName, output, providerOptions };
  }
  if (part.kind === "file" && typeof value["data"] === "string") {
    return { type: "file", data: value["data"], mediaType: String(value["mediaType"]), providerOptions };
  }
  return undefined; // sources and the like are for readers, no provider wants them back
}

/** Returns the options of redacted reasoning that was stored without metadata. */
function redactedOptions(part: Part, rules: PromptRules): SharedV3ProviderOptions | undefined {
  if (part.type !== "redacted_thinking" || rules.dialect.family !== "anthropic") return undefined;
  return { [rules.dialect.namespace]: { redactedData: part.data } };
}

function withOptions<T extends Content>(content: T, options: SharedV3ProviderOptions | undefined): T {
  return options === undefined ? content : { ...content, providerOptions: options };
}

function metadataOf(
  metadata: ProviderMetadata | undefined,
  context: AssistantContext,
): SharedV3ProviderOptions | undefined {
  if (metadata === undefined || !context.own) return undefined;
  const { family, namespace } = context.rules.dialect;
  return underNamespace(metadata, family, namespace);
}

/**
 * Converts reasoning. Reasoning without the signature of its provider would be rejected, so it is omitted unless the
 * API has no signatures.
 */
function toReasoning(part: ThinkingPart | RedactedThinkingPart, context: AssistantContext): Content | undefined {
  const { rules, own } = context;
  const options = metadataOf(part.providerMetadata, context) ?? (own ? redactedOptions(part, rules) : undefined);
  const text = part.type === "thinking" ? part.text : "";
  if (options !== undefined) return { type: "reasoning", text, providerOptions: options };
  return own && rules.dialect.plainReasoning === true && text !== "" ? { type: "reasoning", text } : undefined;
}

function omit(kind: string, { rules }: AssistantContext): undefined {
  rules.warn(`${kind} of an answer of another model is left out`);
}

function toContent(part: Part, context: AssistantContext): Content | undefined {
  const { rules, own } = context;
  switch (part.type) {
    case "text":
      if (!/\S/.test(part.text)) return undefined;
      return withOptions({ type: "text", text: part.text.toWellFormed() }, metadataOf(part.providerMetadata, context));
    case "data":
      return { type: "text", text: JSON.stringify(part.value) ?? "null" };
    case "tool_call":
      return toToolCall(part, metadataOf(part.providerMetadata, context), context);
    case "thinking":
    case "redacted_thinking":
      return toReasoning(part, context);
    case "image":
    case "audio":
    case "document":
      return own ? toFilePart(part, rules) : omit(part.type, context);
    case "unknown":
      return own ? toProviderContent(part, rules) : omit(part.kind, context);
    case "tool_result":
      throw new EngineError("llm.unsupported_part", { provider: rules.provider, part: "tool_result of an assistant" });
  }
}

/**
 * Converts an assistant message. Signatures and other metadata are returned unchanged to their provider, and only to
 * it.
 */
export function toAssistantMessage(message: Message, context: AssistantContext): LanguageModelV3Message | undefined {
  context.own = isOwnFamily(message, context.rules);
  const content: Content[] = [];
  for (const part of message.parts) {
    const converted = toContent(part, context);
    if (converted !== undefined) content.push(converted);
  }
  if (content.length === 0) return undefined;
  const { restoreMessage } = context.rules.dialect;
  return restoreMessage?.({ role: "assistant", content }) ?? { role: "assistant", content };
}
