import type { JSONObject, SharedV3ProviderMetadata } from "@ai-sdk/provider";
import { isRecord } from "../failure/error-info.ts";
import { isJsonObject } from "../request/plain-data.ts";
import { ReasoningDetails } from "./reasoning-details.ts";

/** Returns the tool calls of a response or chunk, each with its stream index. */
function callsIn(message: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  const { tool_calls: calls } = message;
  return Array.isArray(calls) ? calls.filter(isRecord) : [];
}

/**
 * Collects response fields that the AI SDK ignores, and adds them to the finish event. `extra_content` contains
 * Gemini's signatures of tool calls, and `reasoning_details` contains OpenRouter's signatures of thinking. Later
 * requests must send both back unchanged.
 */
class ChoiceFields {
  /** Text of a refusal. */
  #refusal = "";
  /** Failure of the upstream provider, which OpenRouter reports here. */
  #error: JSONObject | undefined;
  readonly #extras: (JSONObject | null)[] = [];
  readonly #details = new ReasoningDetails();
  #field: string | undefined;
  #hasThoughts = false;
  #extra: JSONObject | undefined;

  read(body: unknown, messageKey: "message" | "delta"): void {
    const choices = isRecord(body) ? body["choices"] : undefined;
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (!isRecord(choice)) return;
    const { error, [messageKey]: message } = choice;
    if (isJsonObject(error)) this.#error = error;
    if (!isRecord(message)) return;
    if (typeof message["refusal"] === "string") this.#refusal += message["refusal"];
    this.#readCalls(message);
    this.#readThoughts(message);
  }

  #readCalls(message: Readonly<Record<string, unknown>>): void {
    for (const [position, { index, extra_content: extra }] of callsIn(message).entries()) {
      const at = typeof index === "number" ? index : position;
      if (this.#extras.length > 10_000 || at > 10_000) return;
      while (this.#extras.length <= at) this.#extras.push(null);
      if (isJsonObject(extra)) this.#extras[at] = extra;
    }
  }

  #readThoughts(message: Readonly<Record<string, unknown>>): void {
    const { reasoning_content: content, reasoning, reasoning_details: details, extra_content: extra } = message;
    if (Array.isArray(details)) this.#details.add(details);
    if (isJsonObject(extra) && isRecord(extra["google"]) && typeof extra["google"]["thought_signature"] === "string") {
      this.#extra = extra;
    }
    if (typeof content === "string") this.#field ??= "reasoning_content";
    else if (typeof reasoning === "string" && reasoning !== "") this.#field ??= "reasoning";
    else if (Array.isArray(message["content"]) && message["content"].some(isThinking)) this.#field ??= "content";
    this.#hasThoughts ||=
      (typeof content === "string" && content !== "") || this.#field === "reasoning" || this.#field === "content";
  }

  toMetadata(): SharedV3ProviderMetadata | undefined {
    if (this.#error !== undefined) return { openaiCompatible: { error: this.#error } };
    const metadata: JSONObject = this.#refusal === "" ? {} : { refusal: this.#refusal };
    const extras = this.#extras.map((extra) => (extra === null ? null : { extra_content: extra }));
    if (extras.some((extra) => extra !== null)) metadata["calls"] = extras;
    const thoughts = this.#thoughts();
    if (thoughts !== undefined) metadata["thoughts"] = thoughts;
    return Object.keys(metadata).length === 0 ? undefined : { openaiCompatible: metadata };
  }

  /**
   * Returns the thinking to send back with the message. For a message with a tool call, DeepSeek and Kimi require
   * `reasoning_content` even if it is empty.
   */
  #thoughts(): JSONObject | undefined {
    const details = this.#details.all();
    const isEmptyNextToCall = !this.#hasThoughts && this.#extras.length > 0;
    const thoughts: JSONObject = {};
    // Later requests send thinking in the field `reasoning_content` by default, so the name of any other field is
    // stored. The name `reasoning_content` is stored only for an empty field that must be sent back. Without the stored
    // name, later requests would omit the empty field.
    const isNoted = this.#field === "reasoning_content" ? isEmptyNextToCall : this.#hasThoughts;
    if (this.#field !== undefined && isNoted) thoughts["field"] = this.#field;
    if (details.length > 0) thoughts["reasoning_details"] = [...details];
    if (this.#extra !== undefined) thoughts["extra_content"] = this.#extra;
    return Object.keys(thoughts).length === 0 ? undefined : thoughts;
  }
}

/** Returns whether a content part contains Mistral's thinking. */
function isThinking(part: unknown): boolean {
  return isRecord(part) && part["type"] === "thinking";
}

/** `metadataExtractor` for the AI SDK. It reads the fields that the SDK ignores, from responses and streams. */
export const choiceFields = {
  async extractMetadata({ parsedBody }: { parsedBody: unknown }): Promise<SharedV3ProviderMetadata | undefined> {
    const fields = new ChoiceFields();
    fields.read(parsedBody, "message");
    return fields.toMetadata();
  },
  createStreamExtractor(): {
    processChunk: (chunk: unknown) => void;
    buildMetadata: () => SharedV3ProviderMetadata | undefined;
  } {
    const fields = new ChoiceFields();
    return {
      processChunk: (chunk) => fields.read(chunk, "delta"),
      buildMetadata: () => fields.toMetadata(),
    };
  },
};
