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

/** What is noted while messages are converted. */
export interface AssistantContext {
  /** How messages become a prompt. */
  rules: PromptRules;
  /** Whether the message at hand was made by the provider and model that it is now sent to. */
  own: boolean;
  /** Images of tools that wait for the last result of their round. */
  held: ImagePart[];
  /** Ids as they are sent. */
  ids: CallIdMap;
  /** Filled with the metadata of each call that has some. */
  metadata: Map<string, SharedV3ProviderOptions>;
}

const SURROGATE = /\\ud[89a-f]/i;

/** A JSON value whose texts and names have no half characters; the very same one where there are none. */
function withWellFormedTexts(value: unknown): unknown {
  const text = JSON.stringify(value) ?? "";
  // What is whole is written as it is; only halves are still escapes.
  const repaired = text.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "$1\ufffd");
  return repaired === text ? value : jsonValue(repaired);
}

/** Levels of arguments that are sent as they are; no tool takes more. */
const MAX_LEVELS = 64;

/**
 * The arguments of a call. Texts that are no JSON object are wrapped: the providers accept objects only. So are those of
 * too many levels, which nobody could write again.
 */
function toInput(text: string, parsed: boolean): unknown {
  if (text.trim() === "") return {};
  const told = jsonValue(text);
  // Written as an escape, half a character is only there once the text is read.
  const value = SURROGATE.test(text) || !text.isWellFormed() ? withWellFormedTexts(told) : told;
  // Each level takes two brackets: most arguments are too short for that many, and need no look at all in them.
  const isTooDeep = isRecord(value) && text.length > 2 * MAX_LEVELS && isDeeperThan(value, MAX_LEVELS);
  if (!isRecord(value) || isTooDeep) return { invalid_arguments: text.toWellFormed() };
  // Else the text itself goes out, so that a repeated prefix stays byte for byte the same.
  if (parsed) return value;
  return value === told ? text : JSON.stringify(value);
}

/** Whether a message was made by the provider and model that it is now sent to. */
function isOwn(message: Message, rules: PromptRules): boolean {
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

/** Whether Gemini would take a call of its own tool for one of ours and wait for a result. */
function isMistakable(part: UnknownPart, rules: PromptRules, options: SharedV3ProviderOptions): boolean {
  if (part.kind !== "tool-call" || rules.dialect.family !== "gemini") return false;
  return options[rules.dialect.namespace]?.["serverToolCallId"] === undefined;
}

/** Parts of the provider's own tools, as they came. */
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

/** Opaque reasoning that was kept without its metadata. */
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

/** Without the signature of its maker, reasoning is refused: it stays behind, but where it never has one. */
function toReasoning(part: ThinkingPart | RedactedThinkingPart, context: AssistantContext): Content | undefined {
  const { rules, own } = context;
  const options = metadataOf(part.providerMetadata, context) ?? (own ? redactedOptions(part, rules) : undefined);
  const text = part.type === "thinking" ? part.text : "";
  if (options !== undefined) return { type: "reasoning", text, providerOptions: options };
  return own && rules.dialect.plainReasoning === true && text !== "" ? { type: "reasoning", text } : undefined;
}

function leaveOut(kind: string, { rules }: AssistantContext): undefined {
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
      return own ? toFilePart(part, rules) : leaveOut(part.type, context);
    case "unknown":
      return own ? toProviderContent(part, rules) : leaveOut(part.kind, context);
    case "tool_result":
      throw new EngineError("llm.unsupported_part", { provider: rules.provider, part: "tool_result of an assistant" });
  }
}

/** What the assistant said. Signatures and other metadata go back verbatim to where they came from, and nowhere else. */
export function toAssistantMessage(message: Message, context: AssistantContext): LanguageModelV3Message | undefined {
  context.own = isOwn(message, context.rules);
  const content: Content[] = [];
  for (const part of message.parts) {
    const converted = toContent(part, context);
    if (converted !== undefined) content.push(converted);
  }
  if (content.length === 0) return undefined;
  const { restoreMessage } = context.rules.dialect;
  return restoreMessage?.({ role: "assistant", content }) ?? { role: "assistant", content };
}
