import type { SessionResult } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isCount: Check = (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const isTime: Check = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0;
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const isOneOf =
  (...words: string[]): Check =>
  (value) =>
    typeof value === "string" && words.includes(value);

/**
 * Returns a function that checks an object's fields: all required fields must exist, and only required or optional
 * fields are allowed.
 */
function hasFields(required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  const checks = new Map(Object.entries({ ...required, ...optional }));
  const names = Object.keys(required);
  return (value) => {
    if (!isRecord(value) || !names.every((name) => Object.hasOwn(value, name))) return false;
    return Object.entries(value).every(([name, field]) => checks.get(name)?.(field) === true);
  };
}

const isTranscriptMessage = hasFields(
  { role: isOneOf("system", "user", "assistant", "tool"), content: isText },
  {
    turn: (value) => isCount(value) && value !== 0,
    tool_calls: isListOf(hasFields({ id: isText, name: isText, arguments: isText })),
    tool_result: hasFields(
      { call_id: isText, status: isOneOf("ok", "error"), content: isText },
      { duration_ms: isTime },
    ),
    timestamp: isText,
  },
);

const isPlain = hasFields(
  { exit_code: (value) => Number.isSafeInteger(value), final_message: isText },
  {
    ...{ engine: isText, model: isText, stderr: isText, session_id: isText },
    ...{ turns: isCount, input_tokens: isCount, output_tokens: isCount, duration_ms: isTime },
    cost_usd: isTime,
    finish_reason: isOneOf("stop", "length", "tool_calls", "content_filter", "error", "other"),
    transcript: isListOf(isTranscriptMessage),
  },
);

/**
 * Returns `true` only if a value is certainly a valid `SessionResult` without fields that the schema would drop.
 * Ordinary results then need not load the schema, which is slow.
 */
export function isPlainResult(value: unknown): value is SessionResult {
  return isPlain(value);
}
