import type { Turn } from "./turn.ts";

/** Whether a value is an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasTexts(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === "string");
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isCall(value: unknown): boolean {
  return isRecord(value) && value["type"] === "tool_call" && hasTexts(value, ["id", "name", "arguments"]);
}

function isResult(value: unknown): boolean {
  if (!isRecord(value) || value["type"] !== "tool_result" || typeof value["isError"] !== "boolean") return false;
  return hasTexts(value, ["toolCallId", "name", "content"]);
}

function isUsage(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return ["inputTokens", "outputTokens", "totalTokens"].every((name) => typeof value[name] === "number");
}

function isPart(value: unknown): boolean {
  return isRecord(value) && typeof value["type"] === "string";
}

function isMessage(value: unknown): boolean {
  return isRecord(value) && value["role"] === "assistant" && isListOf(value["parts"], isPart);
}

function isAssistantTurn(value: Readonly<Record<string, unknown>>): boolean {
  const { reasoning, responseId, message } = value;
  return (
    typeof value["content"] === "string" &&
    isListOf(value["toolCalls"], isCall) &&
    isUsage(value["usage"]) &&
    [reasoning, responseId].every((text) => text === undefined || typeof text === "string") &&
    (message === undefined || isMessage(message))
  );
}

function isDuration(value: unknown): boolean {
  return value === null || typeof value === "number";
}

function isResultsTurn({ results, durationsMs }: Readonly<Record<string, unknown>>): boolean {
  return isListOf(results, isResult) && (durationsMs === undefined || isListOf(durationsMs, isDuration));
}

function isMark(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isRecord(value)) return false;
  const { keptTurns, usage } = value;
  return Number.isSafeInteger(keptTurns) && Number(keptTurns) >= 0 && (usage === undefined || isUsage(usage));
}

/** Whether a value that was read from somewhere is a turn, as far as the loop relies on it. */
export function isTurn(value: unknown): value is Turn {
  if (!isRecord(value) || typeof value["timestamp"] !== "string") return false;
  switch (value["type"]) {
    case "user":
    case "system":
      return typeof value["content"] === "string";
    case "steering":
      return typeof value["content"] === "string" && isMark(value["compaction"]);
    case "assistant":
      return isAssistantTurn(value);
    case "tool_results":
      return isResultsTurn(value);
    default:
      return false;
  }
}
