import {
  EngineError,
  type Message,
  type ModelRequest,
  type ModelResponse,
  NO_USAGE,
  type Part,
  type ToolCallPart,
  toEngineError,
  type Usage,
} from "@switchyard/contracts";
import { hookedRequest, hookedResponse } from "../hooks/hook-model-call.ts";
import { checkContextUsage } from "./check-context-usage.ts";
import { warnOfUnknownCost } from "./limit-reached.ts";
import { answerOpenCalls } from "./open-calls.ts";
import { keepWhatWasSaid } from "./reach-boundary.ts";
import { answerTooLarge, readStream, type StreamedText } from "./read-stream.ts";
import { withSaneUsage } from "./sane-usage.ts";
import type { SessionCore } from "./session-core.ts";
import type { AssistantTurn } from "./turn.ts";
import { forgetAborted, whenAborted } from "./when-aborted.ts";

/** Builds the request of a round from the profile, the config and the history. loop: §2.5 step 2. */
function buildRequest(core: SessionCore, systemPrompt: string): ModelRequest {
  const { profile, config } = core;
  return {
    provider: profile.provider,
    model: config.model ?? profile.model,
    messages: core.conversation.messages(systemPrompt),
    tools: core.registry.definitions(),
    toolChoice: "auto",
    reasoningEffort: profile.supportsReasoning ? config.reasoningEffort : null,
    providerOptions: profile.providerOptions(),
    signal: core.signal,
    onRetry: ({ attempt, delayMs, error }) =>
      core.emit("model_call_retried", { attempt, delay_ms: delayMs, error: toEngineError(error).toWire() }),
  };
}

/** The call, or a rejection as soon as the session is aborted, whether or not the client heeds the signal. */
export function orAborted<T>(call: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new EngineError("llm.aborted", {}, { cause: signal.reason }));
    whenAborted(signal, giveUp);
    call.finally(() => forgetAborted(signal, giveUp)).then(resolve, reject);
  });
}

/** One model call of a profile that cannot stream. loop: §2.5 step 3. */
async function callWhole(core: SessionCore, request: ModelRequest): Promise<ModelResponse> {
  const response = await orAborted(core.client.complete(request), core.signal);
  core.emit("assistant_text_start", {});
  return response;
}

/** One model call, streamed where the profile can. loop: §2.5 step 3. */
function callModel(core: SessionCore, request: ModelRequest, partial: StreamedText): Promise<ModelResponse> {
  if (!core.profile.supportsStreaming) return callWhole(core, request);
  return readStream(core, request, partial);
}

/** What an answer says, part by part. */
interface ReadAnswer {
  readonly content: string;
  readonly reasoning: string | undefined;
  readonly toolCalls: readonly ToolCallPart[];
}

/** The parts of an answer in one look at them. */
function readAnswer({ parts }: Message): ReadAnswer {
  let content = "";
  let reasoning: string | undefined;
  let toolCalls: ToolCallPart[] | undefined;
  for (const part of parts) {
    if (part.type === "text") content += part.text;
    else if (part.type === "thinking") reasoning = (reasoning ?? "") + part.text;
    else if (part.type !== "tool_call") continue;
    else if (toolCalls === undefined) toolCalls = [part];
    else toolCalls.push(part);
  }
  // Without the room that a growing list keeps for more: it stays in memory as long as the session.
  return { content, reasoning, toolCalls: toolCalls?.length === 1 ? toolCalls : (toolCalls?.slice() ?? []) };
}

const NO_IDS: ReadonlySet<string> = new Set();

/** Makes call ids unique in the conversation: results are paired by them, and models repeat or forget them. */
function withUniqueCallIds({ conversation }: SessionCore, message: Message): Message {
  const taken = new Set<string>();
  let hasChanged = false;
  const parts = message.parts.map((part): Part => {
    if (part.type !== "tool_call") return part;
    const id = conversation.freeCallId(part.id, taken);
    taken.add(id);
    if (id === part.id) return part;
    hasChanged = true;
    return { ...part, id };
  });
  return hasChanged ? { ...message, parts } : message;
}

/** Whether the ids of an answer's calls are known to be unique without a closer look: there is one at most. */
function hasUniqueIds({ conversation }: SessionCore, [first, second]: readonly ToolCallPart[]): boolean {
  if (first === undefined) return true;
  return second === undefined && conversation.freeCallId(first.id, NO_IDS) === first.id;
}

/** Warns of an answer that is not what it should be. */
function warnOfAnswer(core: SessionCore, response: ModelResponse, turn: AssistantTurn): void {
  const reason = response.finishReason.unified;
  if (reason === "length") {
    core.emit("warning", { message: "The answer was cut off at the model's output limit.", kind: "answer_cut_off" });
  } else if (reason === "content_filter") {
    core.emit("warning", { message: "The provider withheld a part of the answer.", kind: "answer_filtered" });
  } else if (turn.content === "" && turn.toolCalls.length === 0 && reason !== "error") {
    core.emit("warning", { message: "The model gave an empty answer.", kind: "empty_answer" });
  }
  for (const message of response.warnings) core.emit("warning", { message, kind: "model_call" });
}

/**
 * The id by which nobody counts an answer twice; nothing for one that has none of its own. Providers that number the
 * answers of each conversation give those of a subagent the ids of its parent's. promise D14.
 */
function responseIdOf({ conversation, agentId }: SessionCore, { id }: ModelResponse): string | undefined {
  if (!conversation.isNewResponse(id)) return undefined;
  return agentId === undefined ? id : `${agentId}/${id}`;
}

/** Usage with the id of its answer. */
function identified(usage: Usage, responseId: string | undefined): Usage {
  return responseId === undefined ? usage : { ...usage, responseId };
}

/** The usage of an answer, with the id by which nobody counts it twice. promise D14. */
export function usageOf(core: SessionCore, response: ModelResponse): Usage {
  return identified(response.usage, responseIdOf(core, response));
}

/** Appends an answer to the history and tells the host. loop: §2.5 step 4. */
function recordAnswer(core: SessionCore, response: ModelResponse, responseId: string | undefined): AssistantTurn {
  let { message } = response;
  let answer = readAnswer(message);
  if (!hasUniqueIds(core, answer.toolCalls)) {
    message = withUniqueCallIds(core, message);
    answer = readAnswer(message);
  }
  const turn: AssistantTurn = {
    type: "assistant",
    content: answer.content,
    toolCalls: answer.toolCalls,
    reasoning: answer.reasoning,
    usage: response.usage,
    responseId: response.id,
    timestamp: core.events.timestamp(),
    message,
  };
  core.conversation.appendAnswer(turn);
  core.emit("assistant_text_end", {
    content: turn.content,
    reasoning: turn.reasoning,
    finish_reason: response.finishReason.unified,
  });
  core.emit("usage_reported", { response_id: responseId, usage: response.usage });
  warnOfUnknownCost(core, response.usage.costMicros);
  warnOfAnswer(core, response, turn);
  return turn;
}

/** Keeps the text of an answer that broke off: it was shown to the user, so it belongs to the history. */
function recordPartialAnswer(core: SessionCore, partial: StreamedText): void {
  if (!partial.hasStarted) return;
  const content = partial.pieces.join("");
  if (content !== "") {
    const timestamp = core.events.timestamp();
    core.conversation.append({ type: "assistant", content, toolCalls: [], usage: { ...NO_USAGE }, timestamp });
  }
  core.emit("assistant_text_end", { content, finish_reason: core.signal.aborted ? "aborted" : "error" });
}

/** An answer that nobody may act upon was paid for all the same: it is kept, its calls not carried out. */
async function reportUsage(core: SessionCore, usage: Usage): Promise<void> {
  try {
    await core.reportUsage?.(usage);
  } catch (error) {
    answerOpenCalls(core);
    await keepWhatWasSaid(core);
    throw error;
  }
}

/** Refuses an answer that is larger than what the session takes. */
function assertSize(core: SessionCore, { message }: ModelResponse): void {
  let size = 0;
  for (const part of message.parts) {
    if (part.type === "text" || part.type === "thinking") size += part.text.length;
    else if (part.type === "tool_call") size += part.arguments.length;
  }
  if (size > core.config.maxAnswerChars) throw answerTooLarge(core);
}

/** Records an answer as the hooks want it; what it cost is kept also where one of them fails. */
async function recordHooked(
  core: SessionCore,
  response: ModelResponse,
  responseId: string | undefined,
): Promise<AssistantTurn> {
  try {
    return recordAnswer(core, await hookedResponse(core, response), responseId);
  } catch (error) {
    const withheld: Message = { role: "assistant", parts: [] };
    recordAnswer(
      core,
      { ...response, message: withheld, finishReason: { unified: "error" }, warnings: [] },
      responseId,
    );
    await reportUsage(core, identified(response.usage, responseId));
    throw error;
  }
}

/** Asks the model once and records the answer. Rejects with the call's `llm.*` error. loop: §2.5 steps 2 to 4. */
export async function askModel(core: SessionCore): Promise<AssistantTurn> {
  const systemPrompt = core.wholePrompt ?? (await core.systemPrompt());
  // One whose making was cut short is none.
  if (!core.signal.aborted) core.wholePrompt = systemPrompt;
  const request = buildRequest(core, systemPrompt);
  const partial: StreamedText = { hasStarted: false, pieces: [], size: 0 };
  let response: ModelResponse;
  try {
    const hooked = core.hooks === undefined ? request : await hookedRequest(core, request);
    response = withSaneUsage(await callModel(core, hooked, partial));
    assertSize(core, response);
  } catch (error) {
    await keepWhatWasSaid(core);
    recordPartialAnswer(core, partial);
    throw error;
  }
  const responseId = responseIdOf(core, response);
  const isHooked = core.hooks?.afterModelCall !== undefined;
  const turn = isHooked ? await recordHooked(core, response, responseId) : recordAnswer(core, response, responseId);
  checkContextUsage(core);
  if (core.reportUsage !== undefined) await reportUsage(core, identified(response.usage, responseId));
  return turn;
}
