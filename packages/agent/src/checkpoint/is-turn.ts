import type { Turn } from "../conversation/turn.ts";
import { isAmount } from "../loop/normalize-usage.ts";
import { hasTexts, isCall, isImage, isListOf, isRecord, isResponsePart } from "./is-part.ts";

/** Returns true if untrusted data is a tool result. */
export function isResult(value: unknown): boolean {
  if (!isRecord(value) || value["type"] !== "tool_result" || typeof value["isError"] !== "boolean") return false;
  const { images } = value;
  return hasTexts(value, ["toolCallId", "name", "content"]) && (images === undefined || isListOf(images, isImage));
}

/** Returns true if untrusted data is valid token usage: its token counts and its cost are finite and not negative. */
export function isUsage(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return (
    ["inputTokens", "outputTokens", "totalTokens"].every((name) => isAmount(value[name])) &&
    (value["costMicros"] === undefined || isAmount(value["costMicros"]))
  );
}

/**
 * Returns true if a response's list of tool calls matches the calls in the provider's original message. They must
 * match: results are assigned to the calls of the list, but the provider receives its own message.
 */
function hasSameCalls(parts: readonly unknown[], calls: unknown): boolean {
  const idsOf = (list: readonly unknown[]): unknown[] =>
    list.flatMap((item) => (isRecord(item) && item["type"] === "tool_call" ? [item["id"]] : []));
  const [inMessage, inTurn] = [idsOf(parts), Array.isArray(calls) ? idsOf(calls) : []];
  return inMessage.length === inTurn.length && inMessage.every((id, index) => id === inTurn[index]);
}

function isOrigin(value: unknown): boolean {
  return value === undefined || (isRecord(value) && hasTexts(value, ["provider", "model"]));
}

function isMessage(value: unknown, calls: unknown): boolean {
  if (!isRecord(value) || value["role"] !== "assistant" || !isOrigin(value["origin"])) return false;
  const { parts } = value;
  return Array.isArray(parts) && parts.every(isResponsePart) && hasSameCalls(parts, calls);
}

const FINISH_REASONS: readonly unknown[] = ["stop", "length", "tool_calls", "content_filter", "error", "other"];

function isFinishReason(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isRecord(value) || !FINISH_REASONS.includes(value["unified"])) return false;
  const { raw, problem, isPaused } = value;
  const areTexts = [raw, problem].every((text) => text === undefined || typeof text === "string");
  return areTexts && (isPaused === undefined || typeof isPaused === "boolean");
}

function isAssistantTurn(value: Readonly<Record<string, unknown>>): boolean {
  const { reasoning, responseId, message, finishReason } = value;
  return (
    typeof value["content"] === "string" &&
    isListOf(value["toolCalls"], isCall) &&
    isUsage(value["usage"]) &&
    [reasoning, responseId].every((text) => text === undefined || typeof text === "string") &&
    isFinishReason(finishReason) &&
    (message === undefined || isMessage(message, value["toolCalls"]))
  );
}

function isDuration(value: unknown): boolean {
  return value === null || typeof value === "number";
}

function isResultsTurn({ results, durationsMs }: Readonly<Record<string, unknown>>): boolean {
  return isListOf(results, isResult) && (durationsMs === undefined || isListOf(durationsMs, isDuration));
}

function isCount(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0);
}

function isMark(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isRecord(value)) return false;
  const { keptTurns, usage } = value;
  return Number.isSafeInteger(keptTurns) && Number(keptTurns) >= 0 && (usage === undefined || isUsage(usage));
}

/** Returns true if untrusted data is a valid turn. Checks all fields that the loop relies on. */
export function isTurn(value: unknown): value is Turn {
  if (!isRecord(value) || typeof value["timestamp"] !== "string") return false;
  switch (value["type"]) {
    case "user":
      return hasTexts(value, ["content"]) && (value["images"] === undefined || isListOf(value["images"], isImage));
    case "system":
      return typeof value["content"] === "string";
    case "steering":
      return typeof value["content"] === "string" && isMark(value["compaction"]) && isCount(value["withheldImages"]);
    case "assistant":
      return isAssistantTurn(value);
    case "tool_results":
      return isResultsTurn(value);
    default:
      return false;
  }
}
