import {
  type FinishReason,
  type Message,
  type ModelResponse,
  NO_USAGE,
  type Part,
  type ToolCallPart,
  type Usage,
} from "@switchyard/contracts";
import { type ParsedResponse, parseResponse } from "../conversation/parse-response.ts";
import type { AssistantTurn } from "../conversation/turn.ts";
import { finishReasonOf, isUsualFinish, problemOf } from "../finish/finish-action.ts";
import type { SessionCore } from "../session/session-core.ts";
import { warnOfUnknownCost } from "./limit-reached.ts";
import type { StreamedText } from "./read-stream.ts";
import { findRepeatedCalls, markRepeated } from "./repeated-calls.ts";
import { warnOnce } from "./warn-once.ts";

/**
 * Makes call ids unique in the conversation. Each result is assigned to its call by this id, but models repeat or omit
 * ids.
 */
function withUniqueCallIds({ conversation }: SessionCore, message: Message): Message {
  const taken = new Set<string>();
  const repeats = findRepeatedCalls(message.parts);
  let hasChanged = false;
  const parts = message.parts.map((part): Part => {
    if (part.type !== "tool_call") return part;
    const id = conversation.freeCallId(part.id, taken);
    taken.add(id);
    if (id === part.id) return part;
    hasChanged = true;
    const renamed = { ...part, id };
    return repeats.has(part) ? markRepeated(renamed, part.id) : renamed;
  });
  return hasChanged ? { ...message, parts } : message;
}

/** Returns true if call ids are certainly unique: there is at most one call, with a new id. */
function hasUniqueIds({ conversation }: SessionCore, calls: readonly ToolCallPart[]): boolean {
  const first = calls[0];
  if (first === undefined) return true;
  return calls.length === 1 && first.id !== "" && !conversation.hasCall(first.id);
}

/** Kinds of warnings about responses that ended abnormally. */
const WARNING_KINDS: Readonly<Record<FinishReason["unified"], string>> = {
  stop: "empty_answer",
  tool_calls: "calls_missing",
  length: "answer_cut_off",
  content_filter: "answer_filtered",
  error: "answer_failed",
  other: "answer_stopped",
};

/** Warns about an abnormal response. */
function warnOfResponse(core: SessionCore, response: ModelResponse, turn: AssistantTurn): void {
  const problem = problemOf(turn);
  const kind = WARNING_KINDS[finishReasonOf(turn).unified];
  if (problem !== undefined) core.emit("warning", { message: `The response ${problem.replace(/\.$/, "")}.`, kind });
  if (response.warnings.length === 0) return;
  for (const message of response.warnings) warnOnce(core, { message, kind: "model_call" });
}

/**
 * Returns the response id by which usage is deduplicated. `undefined` if the response has no unique id. Ids of
 * subagents get a prefix, because some providers number the responses of each conversation from the start. See
 * durability promise D14.
 */
function responseIdOf({ conversation, agentId }: SessionCore, { id }: ModelResponse): string | undefined {
  if (!conversation.isNewResponse(id)) return undefined;
  return agentId === undefined ? id : `${agentId}/${id}`;
}

/** Returns usage with the id of its response. */
function identified(usage: Usage, responseId: string | undefined): Usage {
  return responseId === undefined ? usage : { ...usage, responseId };
}

/** Returns the usage of a response, with the id by which it is deduplicated. See durability promise D14. */
export function usageOf(core: SessionCore, response: ModelResponse): Usage {
  return identified(response.usage, responseIdOf(core, response));
}

/** Returns the finish reason to store. `undefined` if the content of the turn implies the finish reason. */
function storedReason({ finishReason }: ModelResponse, { toolCalls }: ParsedResponse): FinishReason | undefined {
  return isUsualFinish(finishReason, toolCalls.length > 0) ? undefined : finishReason;
}

/** Appends a response to the history and emits its events. See loop: §2.5 step 4. */
export function recordResponse(
  core: SessionCore,
  response: ModelResponse,
  read: ParsedResponse = parseResponse(response.message),
): AssistantTurn {
  const responseId = responseIdOf(core, response);
  let { message } = response;
  let answer = read;
  if (!hasUniqueIds(core, answer.toolCalls)) {
    message = withUniqueCallIds(core, message);
    answer = parseResponse(message);
  }
  const turn: AssistantTurn = {
    type: "assistant",
    content: answer.content,
    toolCalls: answer.toolCalls,
    reasoning: answer.reasoning,
    usage: response.usage,
    responseId: response.id,
    finishReason: storedReason(response, answer),
    timestamp: core.events.timestamp(),
    message,
  };
  core.conversation.appendResponse(turn, answer);
  core.emit("assistant_text_end", {
    content: turn.content,
    reasoning: turn.reasoning,
    finish_reason: response.finishReason.unified,
  });
  core.emit("usage_reported", { response_id: responseId, usage: response.usage });
  warnOfUnknownCost(core, response.usage.costMicros);
  warnOfResponse(core, response, turn);
  return turn;
}

/** Records the partial text of a failed response, because the user has seen it. */
export function recordPartialResponse(core: SessionCore, partial: StreamedText): void {
  if (!partial.hasStarted) return;
  const content = partial.pieces.join("");
  if (content !== "") {
    const timestamp = core.events.timestamp();
    core.conversation.append({ type: "assistant", content, toolCalls: [], usage: { ...NO_USAGE }, timestamp });
  }
  core.emit("assistant_text_end", { content, finish_reason: core.signal.aborted ? "aborted" : "error" });
}
