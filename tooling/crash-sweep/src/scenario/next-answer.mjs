// @ts-check
import { createHash } from "node:crypto";
import { isUnknown } from "../history/conversation.mjs";
import { LAST_WORDS, SCRIPT } from "./script.mjs";

/** @import { Message, Part, ToolCallPart, ToolResultPart, Usage } from "@switchyard/contracts" */
/** @import { ScriptedCall } from "./script.mjs" */

/**
 * What the model says next.
 * @typedef {{ id: string, parts: Part[], isLast: boolean, usage: Usage }} Answer
 */

/**
 * How a call of the script stands: the last thing the conversation says about it.
 * @typedef {{ tries: number, checks: number, isDone: boolean, asks: "try" | "check" }} Standing
 */

/**
 * The answer to a conversation. It depends on the conversation alone, so a resumed run gets the same one, under the
 * same id.
 * @param {readonly Message[]} messages
 * @returns {Answer}
 */
export function nextAnswer(messages) {
  const results = resultsIn(messages);
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool_call"));
  const id = `answer-${digest(calls.map((call) => [call.id, kindOf(results.get(call.id))]))}`;
  for (const [step, round] of SCRIPT.entries()) {
    const asked = round.flatMap((call, index) => {
      const place = placeOf(step, index);
      const standing = standingOf({ place, call }, calls, results);
      return standing.isDone ? [] : [callPart({ place, call }, standing)];
    });
    if (asked.length === 0) continue;
    const parts = [{ type: /** @type {const} */ ("text"), text: `Step ${step + 1}.` }, ...asked];
    return { id, parts, isLast: false, usage: usageOf(calls.length, asked.length) };
  }
  return { id, parts: [{ type: "text", text: LAST_WORDS }], isLast: true, usage: usageOf(calls.length, 0) };
}

/**
 * @param {number} step
 * @param {number} index
 * @returns {string}
 */
function placeOf(step, index) {
  return `s${String(step + 1).padStart(2, "0")}-${index}`;
}

/**
 * @param {readonly Message[]} messages
 * @returns {Map<string, ToolResultPart>}
 */
function resultsIn(messages) {
  const results = messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool_result"));
  return new Map(results.map((result) => [result.toolCallId, result]));
}

/**
 * @param {{ place: string, call: ScriptedCall }} scripted
 * @param {readonly ToolCallPart[]} calls
 * @param {ReadonlyMap<string, ToolResultPart>} results
 * @returns {Standing}
 */
function standingOf({ place, call }, calls, results) {
  const own = calls.filter(({ id }) => id.startsWith(`${place}.`));
  const checks = own.filter(({ id }) => id.includes(".check")).length;
  const counts = { tries: own.length - checks, checks };
  const last = own.at(-1);
  if (last === undefined) return { ...counts, isDone: false, asks: "try" };
  const result = results.get(last.id);
  const isCheck = last.id.includes(".check");
  if (kindOf(result) === "unknown") return { ...counts, isDone: false, asks: "check" };
  if (!isCheck) return { ...counts, isDone: true, asks: "try" };
  return { ...counts, isDone: call.check.isDone(result?.content ?? ""), asks: "try" };
}

/**
 * @param {{ place: string, call: ScriptedCall }} scripted
 * @param {Standing} standing
 * @returns {ToolCallPart}
 */
function callPart({ place, call }, { tries, checks, asks }) {
  const made =
    asks === "check"
      ? { id: `${place}.check${checks + 1}`, name: call.check.tool, given: call.check.arguments }
      : { id: `${place}.try${tries + 1}`, name: call.tool, given: call.argumentsOf(tries + 1) };
  return { type: "tool_call", id: made.id, name: made.name, arguments: JSON.stringify(made.given) };
}

/**
 * @param {ToolResultPart | undefined} result
 * @returns {"none" | "unknown" | "error" | "ok"}
 */
function kindOf(result) {
  if (result === undefined) return "none";
  if (isUnknown(result.content)) return "unknown";
  return result.isError ? "error" : "ok";
}

/**
 * @param {number} calls
 * @param {number} asked
 * @returns {Usage}
 */
function usageOf(calls, asked) {
  const [inputTokens, outputTokens] = [100 + 40 * calls, 10 + 25 * asked];
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function digest(value) {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}
