import type {
  JSONObject,
  LanguageModelV3File,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  SharedV3Headers,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import { EngineError, type FinishReason, type ModelResponse, type Part, type StreamEvent } from "@switchyard/contracts";
import { isRecord } from "../failure/error-info.ts";
import { ReportedError } from "../failure/reported-error.ts";
import { toFinishReason } from "../finish-reason/to-finish-reason.ts";
import { isSameArguments } from "../normalisation/same-arguments.ts";
import type { ProjectedTools } from "../projection/project-tools.ts";
import { isJsonObject } from "../request/plain-data.ts";
import { createMetadataCollector, type MetadataCollector } from "./metadata.ts";
import { type ResponseBlock, toPart } from "./response-block.ts";
import { toRateLimit, toUsage, toWarning } from "./to-usage.ts";

/** Context of the call. */
export interface ResponseContext {
  /** Name of the provider in the client. */
  provider: string;
  /** Name of its family. */
  family: string;
  /** Name of the provider's API family in the AI SDK. */
  namespace: string;
  /** Requested model. */
  model: string;
  /** Generates ids for tool calls with a missing or duplicate id. */
  createId: () => string;
  /** Own warnings. */
  warnings: readonly string[];
  /** Tools of the request, used to restore original names. */
  tools?: Pick<ProjectedTools, "toName" | "toArguments"> | undefined;
  /** Returns whether an AI SDK warning concerns intended behaviour. Such a warning is dropped. */
  isOnPurpose?: ((warning: string) => boolean) | undefined;
}

type ToolBlock = Extract<ResponseBlock, { kind: "tool_call" }>;
type TextBlock = Extract<ResponseBlock, { kind: "text" | "reasoning" }>;
type FinishPart = Extract<LanguageModelV3StreamPart, { type: "finish" }>;

const NONE: readonly StreamEvent[] = [];

/** Returns the events of a tool call, or none while the call is buffered. */
function bufferedEvents(block: ToolBlock, events: readonly StreamEvent[]): readonly StreamEvent[] {
  if (block.buffered === undefined) return events;
  block.buffered.push(...events);
  return NONE;
}

/** Maximum length of a finish reason's explanation, in characters. The rest is cut off. */
const MAX_PROBLEM_CHARACTERS = 500;

/**
 * Converts the AI SDK's stream parts to events and, at the end, to the response. Streaming and `complete` both use it,
 * so that they produce the same response. See unified-llm-client: calls.
 */
export class ResponseBuilder {
  readonly #context: ResponseContext;
  readonly #blocks: ResponseBlock[] = [];
  readonly #textBlocks = new Map<string, TextBlock>();
  /** Content block that was opened or extended last. The next chunk nearly always belongs to this block. */
  #latest: TextBlock | undefined;
  readonly #calls = new Map<string, ToolBlock>();
  readonly #warnings: string[];
  #id: string | undefined;
  #model: string | undefined;
  #started = false;
  readonly #rawEvents: unknown[] = [];
  #raw: unknown;
  #finish: FinishPart | undefined;

  constructor(context: ResponseContext) {
    this.#context = context;
    this.#warnings = [...context.warnings];
  }

  /** Adds one AI SDK stream part and returns the resulting events. The caller handles error parts. */
  add(part: LanguageModelV3StreamPart): readonly StreamEvent[] {
    switch (part.type) {
      case "stream-start":
        this.#warn(part.warnings.map(toWarning));
        return NONE;
      case "response-metadata":
        this.#id ??= part.id;
        this.#model ??= part.modelId;
        return this.#started ? NONE : this.#opening();
      case "finish":
        return this.#end(part);
      case "error":
        return NONE;
      case "raw":
        this.#rawEvents.push(part.rawValue);
        this.#raw = this.#rawEvents;
        return NONE;
      default: {
        const events = this.#content(part);
        if (this.#started || events.length === 0) return events;
        return [...this.#opening(), ...events];
      }
    }
  }

  /** Builds the complete response. Throws `llm.stream_broken` if the response is incomplete. */
  build(outcome: { latencyMs: number; headers: SharedV3Headers | undefined }): ModelResponse {
    const { provider, model } = this.#context;
    const open = [...this.#calls.values()].find((call) => !call.done);
    if (open !== undefined) {
      throw new EngineError("llm.stream_broken", {
        provider,
        model,
        problem: `the call of ${open.name} was not finished`,
      });
    }
    const finish = this.#finish;
    if (finish === undefined || (finish.finishReason.unified === "other" && finish.finishReason.raw === undefined)) {
      throw new EngineError("llm.stream_broken", { provider, model, problem: "it ended without a finish reason" });
    }
    const response: ModelResponse = {
      id: this.#id ?? "",
      model: this.#model ?? model,
      provider,
      message: { role: "assistant", parts: this.#parts(), origin: { provider, model } },
      finishReason: this.#finishReason(finish),
      usage: toUsage(finish.usage, { model, latencyMs: outcome.latencyMs }),
      warnings: this.#warnings,
    };
    const rateLimit = toRateLimit(outcome.headers);
    if (rateLimit !== undefined) response.rateLimit = rateLimit;
    if (this.#raw !== undefined) response.raw = this.#raw;
    return response;
  }

  #finishReason({ finishReason, providerMetadata }: FinishPart): FinishReason {
    const { family, namespace } = this.#context;
    const reason = toFinishReason(finishReason, { family, hasToolCalls: this.#calls.size > 0 });
    // Explanation that Gemini sends for an invalid tool call.
    const finishMessage = providerMetadata?.[namespace]?.["finishMessage"];
    return reason.problem !== undefined && typeof finishMessage === "string" && finishMessage !== ""
      ? { ...reason, problem: finishMessage.slice(0, MAX_PROBLEM_CHARACTERS) }
      : reason;
  }

  /** Handles the finish reason. Throws a `ReportedError` if it contains a failure. */
  #end(part: FinishPart): readonly StreamEvent[] {
    const metadata = part.providerMetadata?.[this.#context.namespace];
    if (isRecord(metadata?.["error"])) throw new ReportedError({ error: metadata["error"] });
    this.#storeMetadata(metadata);
    const refusal = metadata?.["refusal"];
    if (typeof refusal !== "string") {
      this.#finish = part;
      return NONE;
    }
    this.#finish = { ...part, finishReason: { ...part.finishReason, unified: "content-filter" } };
    const id = "refusal";
    const events: StreamEvent[] = this.#started ? [] : this.#opening();
    events.push(...this.#content({ type: "text-start", id }));
    events.push(...this.#content({ type: "text-delta", id, delta: refusal }));
    events.push(...this.#content({ type: "text-end", id }));
    return events;
  }

  /**
   * Stores opaque data that later requests must send back with the tool calls, matched by order, and with the thinking.
   */
  #storeMetadata(metadata: JSONObject | undefined): void {
    const { namespace } = this.#context;
    const { calls, thoughts } = metadata ?? {};
    if (Array.isArray(calls)) {
      for (const [index, block] of [...this.#calls.values()].entries()) {
        const fields = calls[index];
        if (isJsonObject(fields)) block.metadata.add({ [namespace]: fields });
      }
    }
    if (!isJsonObject(thoughts)) return;
    const reasoning = this.#blocks.find((block) => block.kind === "reasoning");
    if (reasoning?.kind === "reasoning") reasoning.metadata.add({ [namespace]: thoughts });
    else
      this.#blocks.unshift({
        kind: "reasoning",
        id: "",
        text: "",
        metadata: this.#metadata({ [namespace]: thoughts }),
      });
  }

  #parts(): Part[] {
    const parts: Part[] = [];
    for (const block of this.#blocks) {
      const part = toPart(block);
      if (part !== undefined) parts.push(part);
    }
    return parts;
  }

  #warn(warnings: readonly string[]): void {
    const { isOnPurpose } = this.#context;
    for (const warning of warnings) if (isOnPurpose?.(warning) !== true) this.#warnings.push(warning);
  }

  /** Sets the raw response, for requests that ask for it. */
  setRaw(raw: unknown): void {
    this.#raw = raw;
  }

  #opening(): StreamEvent[] {
    this.#started = true;
    return [{ type: "stream_start", id: this.#id, model: this.#model }];
  }

  #content(part: LanguageModelV3StreamPart): readonly StreamEvent[] {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#openText(part.type === "text-start" ? "text" : "reasoning", part);
        return part.type === "text-start"
          ? [{ type: "text_start", textId: part.id }]
          : [{ type: "reasoning_start", reasoningId: part.id }];
      case "text-delta":
        return this.#extend("text", part) ? [{ type: "text_delta", textId: part.id, text: part.delta }] : NONE;
      case "reasoning-delta":
        return this.#extend("reasoning", part)
          ? [{ type: "reasoning_delta", reasoningId: part.id, text: part.delta }]
          : NONE;
      case "text-end":
        this.#textBlocks.get(`text ${part.id}`)?.metadata.add(part.providerMetadata);
        return [{ type: "text_end", textId: part.id }];
      case "reasoning-end":
        this.#textBlocks.get(`reasoning ${part.id}`)?.metadata.add(part.providerMetadata);
        return [{ type: "reasoning_end", reasoningId: part.id }];
      case "tool-input-start":
        if (part.providerExecuted) return [{ type: "provider_event", event: part }];
        return this.#startCall(part.id, part.toolName, part.providerMetadata);
      case "tool-input-delta":
        return this.#extendCall(part.id, part.delta);
      case "tool-input-end":
        return NONE;
      case "tool-call":
        return part.providerExecuted ? this.#foreign(part) : this.#finishCall(part);
      case "tool-result":
        return this.#foreign(part);
      case "file":
        return this.#file(part);
      default:
        return [{ type: "provider_event", event: part }];
    }
  }

  #metadata(metadata: SharedV3ProviderMetadata | undefined): MetadataCollector {
    const collector = createMetadataCollector(this.#context.family, this.#context.namespace);
    collector.add(metadata);
    return collector;
  }

  #openText(kind: "text" | "reasoning", part: { id: string; providerMetadata?: SharedV3ProviderMetadata }): TextBlock {
    const block: TextBlock = { kind, id: part.id, text: "", metadata: this.#metadata(part.providerMetadata) };
    this.#blocks.push(block);
    this.#textBlocks.set(`${kind} ${part.id}`, block);
    this.#latest = block;
    return block;
  }

  /** Extends a content block. Returns whether content was added. A delta without content only carries a signature. */
  #extend(
    kind: "text" | "reasoning",
    part: { id: string; delta: string; providerMetadata?: SharedV3ProviderMetadata },
  ): boolean {
    const block = this.#blockOf(kind, part);
    block.text += part.delta;
    if (part.providerMetadata !== undefined) {
      // An empty text at the end of Gemini's response has its own signature.
      // That signature does not belong to the preceding text.
      const isOther = kind === "text" && part.delta === "" && block.metadata.collected() !== undefined;
      if (!isOther) block.metadata.add(part.providerMetadata);
    }
    return part.delta !== "";
  }

  #blockOf(kind: "text" | "reasoning", part: { id: string; providerMetadata?: SharedV3ProviderMetadata }): TextBlock {
    if (this.#latest?.id === part.id && this.#latest.kind === kind) return this.#latest;
    this.#latest = this.#textBlocks.get(`${kind} ${part.id}`) ?? this.#openText(kind, part);
    return this.#latest;
  }

  #startCall(id: string, wireName: string, metadata: SharedV3ProviderMetadata | undefined): StreamEvent[] {
    const name = this.#context.tools?.toName(wireName) ?? wireName;
    const isRepeat = id !== "" && [...this.#calls.values()].some((call) => call.id === id);
    const callId = id === "" || isRepeat ? this.#context.createId() : id;
    const start: StreamEvent = { type: "tool_call_start", callId, name };
    const block: ToolBlock = {
      kind: "tool_call",
      id: callId,
      providerId: id,
      name,
      arguments: "",
      done: false,
      metadata: this.#metadata(metadata),
      buffered: isRepeat ? [start] : undefined,
    };
    this.#blocks.push(block);
    this.#calls.set(callId, block);
    this.#open.set(id, block);
    return isRepeat ? [] : [start];
  }

  /** Tool calls that are still arriving, by the provider's id. */
  readonly #open = new Map<string, ToolBlock>();

  #extendCall(id: string, delta: string): readonly StreamEvent[] {
    const block = this.#open.get(id);
    if (block === undefined || delta === "") return NONE;
    return bufferedEvents(block, [{ type: "tool_call_delta", callId: block.id, argumentsDelta: delta }]);
  }

  #finishCall(part: LanguageModelV3ToolCall): readonly StreamEvent[] {
    const streamed = this.#open.get(part.toolCallId);
    const events: StreamEvent[] = [];
    if (streamed === undefined) {
      events.push(...this.#startCall(part.toolCallId, part.toolName, undefined));
    }
    const block = streamed ?? this.#open.get(part.toolCallId);
    if (block === undefined) return events;
    this.#open.delete(part.toolCallId);
    const { tools } = this.#context;
    const input = part.input === "" ? "{}" : part.input;
    block.name = tools?.toName(part.toolName) ?? part.toolName;
    block.arguments = tools?.toArguments(part.toolName, input) ?? input;
    block.done = true;
    block.metadata.add(part.providerMetadata);
    if (this.#isDropped(block)) return NONE;
    if (streamed === undefined)
      events.push(
        ...bufferedEvents(block, [{ type: "tool_call_delta", callId: block.id, argumentsDelta: block.arguments }]),
      );
    const buffered = [...(block.buffered ?? []), ...events];
    buffered.push({ type: "tool_call_end", callId: block.id, name: block.name, arguments: block.arguments });
    return buffered;
  }

  /** Returns whether a call is dropped because it exactly repeats another one under the same id. */
  #isDropped(block: ToolBlock): boolean {
    const isSame = (other: ToolBlock): boolean =>
      other !== block &&
      other.providerId === block.providerId &&
      other.name === block.name &&
      isSameArguments(other.arguments, block.arguments);
    if (block.buffered === undefined || ![...this.#calls.values()].some(isSame)) return false;
    this.#calls.delete(block.id);
    this.#blocks.splice(this.#blocks.indexOf(block), 1);
    this.#warnings.push(`the call ${block.providerId} of ${block.name} was received twice and is used once`);
    return true;
  }

  /**
   * Handles calls and results of the provider's own tools: they are stored so that later requests can send them back,
   * but not executed here.
   */
  #foreign(part: LanguageModelV3StreamPart): StreamEvent[] {
    this.#blocks.push({ kind: "part", part: { type: "unknown", kind: part.type, value: part } });
    return [{ type: "provider_event", event: part }];
  }

  #file(part: LanguageModelV3File): StreamEvent[] {
    const plain =
      part.mediaType.startsWith("image/") && part.providerMetadata === undefined && typeof part.data === "string";
    if (!plain) return this.#foreign(part);
    this.#blocks.push({ kind: "part", part: { type: "image", data: String(part.data), mediaType: part.mediaType } });
    return [{ type: "provider_event", event: part }];
  }
}
