// @ts-check
import { createHash } from "node:crypto";
import { textOf } from "@switchyard/contracts";
import { isLost, isUnknown } from "../history/conversation.mjs";

/** @import { Message, Part, ToolCallPart, ToolResultPart, Usage } from "@switchyard/contracts" */
/** @import { Scenario } from "./scenario.mjs" */
/** @import { ScriptedCall } from "./scripted-call.mjs" */

/** Next response of the model. @typedef {{ id: string, parts: Part[], isLast: boolean, usage: Usage }} Answer */

/** @typedef {"try" | "poll" | "check"} Kind */

/**
 * State of a scripted call: the number of calls of each kind, and the due one, if any.
 * @typedef {{ counts: Readonly<Record<Kind, number>>, lastTry: string, due: Kind | undefined }} Standing
 */

/**
 * The conversation so far, with the result of each call.
 * @typedef {{ calls: readonly ToolCallPart[], results: ReadonlyMap<string, ToolResultPart> }} Conversation
 */

/**
 * Returns the response to a conversation. It depends on the conversation only, so a resumed run gets the same response
 * and id.
 * @param {Scenario} scenario
 * @param {readonly Message[]} messages
 * @returns {Answer}
 */
export function nextAnswer(scenario, messages) {
  const conversation = { calls: callsIn(messages), results: resultsIn(messages) };
  const { calls, results } = conversation;
  const said = messages.filter(({ role }) => role === "user").map(textOf);
  const told = said.flatMap((text) => scenario.parts[text] ?? []);
  const id = `answer-${digest([said, calls.map((call) => [call.id, kindOf(results.get(call.id))])])}`;
  for (const [step, round] of told.flatMap(({ rounds }) => rounds).entries()) {
    const asked = round.flatMap((call, index) => nextCall({ place: placeOf(step, index), call }, conversation));
    if (asked.length === 0) continue;
    const parts = [{ type: /** @type {const} */ ("text"), text: `Step ${step + 1}.` }, ...asked];
    return { id, parts, isLast: false, usage: usageOf(calls.length, asked.length) };
  }
  const text = told.at(-1)?.lastWords ?? "Nobody asked for anything.";
  return { id, parts: [{ type: "text", text }], isLast: true, usage: usageOf(calls.length, 0) };
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
 * @returns {ToolCallPart[]}
 */
function callsIn(messages) {
  return messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool_call"));
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
 * Returns the due call at a position: at most one.
 * @param {{ place: string, call: ScriptedCall }} scripted
 * @param {Conversation} conversation
 * @returns {ToolCallPart[]}
 */
function nextCall({ place, call }, conversation) {
  const { counts, lastTry, due } = standingOf({ place, call }, conversation);
  if (due === undefined) return [];
  const attempt = counts[due] + 1;
  const { tool, given } = toolFor(call, { due, attempt, lastTry, conversation });
  return [{ type: "tool_call", id: `${place}.${due}${attempt}`, name: tool, arguments: JSON.stringify(given) }];
}

/**
 * @param {ScriptedCall} call
 * @param {{ due: Kind, attempt: number, lastTry: string, conversation: Conversation }} standing
 * @returns {{ tool: string, given: Readonly<Record<string, unknown>> }}
 */
function toolFor(call, { due, attempt, lastTry, conversation }) {
  const used = due === "poll" ? (call.poll ?? call.check) : call.check;
  if (due !== "try") return { tool: used.tool, given: used.argumentsOf(lastTry) };
  /** @param {string} place */
  function idOf(place) {
    return conversation.calls.findLast(({ id }) => id.startsWith(`${place}.try`))?.id ?? place;
  }
  return { tool: call.tool, given: call.argumentsOf({ attempt, idOf }) };
}

/**
 * @param {{ place: string, call: ScriptedCall }} scripted
 * @param {Conversation} conversation
 * @returns {Standing}
 */
function standingOf({ place, call }, { calls, results }) {
  const own = calls.filter(({ id }) => id.startsWith(`${place}.`)).map(({ id }) => ({ id, kind: kindOfCall(id) }));
  /** @param {Kind} kind */
  function countOf(kind) {
    return own.filter((made) => made.kind === kind).length;
  }
  const counts = { try: countOf("try"), poll: countOf("poll"), check: countOf("check") };
  const lastTry = own.findLast(({ kind }) => kind === "try")?.id ?? "";
  const last = own.at(-1);
  if (last === undefined) return { counts, lastTry, due: "try" };
  return { counts, lastTry, due: dueBehind(call, { kind: last.kind, result: results.get(last.id) }) };
}

/**
 * Returns what is due after a call. `undefined` if it is complete.
 * @param {ScriptedCall} call
 * @param {{ kind: Kind, result: ToolResultPart | undefined }} last
 * @returns {Kind | undefined}
 */
function dueBehind(call, { kind, result }) {
  const came = kindOf(result);
  if (kind === "check") return call.check.isDone(result?.content ?? "") ? undefined : "try";
  if (came === "unknown") return "check";
  if (kind === "poll") return came === "lost" ? "check" : undefined;
  return call.poll === undefined ? undefined : "poll";
}

/**
 * @param {string} id
 * @returns {Kind}
 */
function kindOfCall(id) {
  if (id.includes(".check")) return "check";
  return id.includes(".poll") ? "poll" : "try";
}

/**
 * @param {ToolResultPart | undefined} result
 * @returns {"none" | "unknown" | "lost" | "error" | "ok"}
 */
function kindOf(result) {
  if (result === undefined) return "none";
  if (isUnknown(result.content)) return "unknown";
  if (isLost(result.content)) return "lost";
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
