// @ts-check
import { addUsage, NO_USAGE } from "@switchyard/contracts";
import { conversationsOf, essenceOf, showsCrash, withoutTimes } from "./conversation.mjs";
import { momentsOf } from "./history.mjs";

/** @import { TranscriptMessage, Usage } from "@switchyard/contracts" */
/** @import { FinalState, History, Violation } from "./history.mjs" */

/**
 * D9: result, conversation, workspace and effects equal those of an uninterrupted run.
 * @param {History} history
 * @returns {Violation[]}
 */
export function checkResult({ final, reference }) {
  if (final === undefined || reference === undefined) return [];
  const differences = [
    ...compareValues("workspace", reference.workspace, final.workspace),
    ...compareResults(reference, final),
    ...compareConversations(reference, final),
  ];
  return differences.map((detail) => ({ promise: "D9", kind: "difference", detail }));
}

/**
 * D14: each model response is charged once, regardless of the number of attempts.
 * @param {History} history
 * @returns {Violation[]}
 */
export function checkUsage(history) {
  const { final } = history;
  if (final === undefined) return [];
  /** @type {Map<string, Usage>} */
  const answers = new Map(momentsOf(history, "answered").map(({ moment }) => [moment.responseId, moment.usage]));
  const due = tokensOf([...answers.values()].reduce(addUsage, NO_USAGE));
  const charged = tokensOf(final.report.usage);
  if (due === charged) return [];
  const detail = `${answers.size} answers come to ${due}, charged were ${charged}`;
  return [{ promise: "D14", kind: "usage", detail }];
}

/**
 * @param {FinalState} reference
 * @param {FinalState} final
 * @returns {string[]}
 */
function compareResults(reference, final) {
  const [expected, found] = [reference, final].map(({ report: { status, result } }) => {
    return { status, exitCode: result?.exit_code, finalMessage: result?.final_message, model: result?.model };
  });
  return compareValues("result", expected, found);
}

/**
 * @param {FinalState} reference
 * @param {FinalState} final
 * @returns {string[]}
 */
function compareConversations(reference, final) {
  const [expected, found] = [new Map(conversationsOf(reference)), new Map(conversationsOf(final))];
  const differences = [...new Set([...expected.keys(), ...found.keys()])].flatMap((agent) => {
    const [wanted, made] = [expected.get(agent), found.get(agent)];
    if (wanted === undefined) return [`${agent} is in no uninterrupted run`];
    return made === undefined ? [`${agent} is gone`] : compareConversation(agent, wanted, made);
  });
  if ([...found.values()].some(showsCrash)) return differences;
  return [...differences, ...compareValues("tokens", tokensOf(reference.report.usage), tokensOf(final.report.usage))];
}

/**
 * @param {string} agent
 * @param {readonly TranscriptMessage[]} expected
 * @param {readonly TranscriptMessage[]} found
 * @returns {string[]}
 */
function compareConversation(agent, expected, found) {
  const what = `conversation of ${agent}`;
  if (!showsCrash(found)) return compareValues(what, withoutTimes(expected), withoutTimes(found));
  const [before, after] = [essenceOf(expected), essenceOf(found)];
  const calls = [...new Set([...before.calls.keys(), ...after.calls.keys()])].flatMap((place) => {
    const [wanted, made] = [before.calls.get(place), after.calls.get(place)];
    // A call of unknown outcome that had taken effect is not repeated; its effect counts.
    const outcome = made?.outcome ?? wanted?.outcome;
    const polled = made?.polled ?? wanted?.polled;
    return compareValues(`call ${place} of ${agent}`, wanted, made && { ...made, outcome, polled });
  });
  return [...calls, ...compareValues(`what was said in the ${what}`, before.said, after.said)];
}

/**
 * @param {string} what
 * @param {unknown} expected
 * @param {unknown} found
 * @returns {string[]}
 */
function compareValues(what, expected, found) {
  const [left, right] = [JSON.stringify(expected) ?? "nothing", JSON.stringify(found) ?? "nothing"];
  if (left === right) return [];
  const at = [...left].findIndex((character, index) => character !== right[index]);
  const from = Math.max(0, (at < 0 ? left.length : at) - 60);
  return [`${what} differs: …${left.slice(from, from + 160)}… became …${right.slice(from, from + 160)}…`];
}

/**
 * @param {Usage} usage
 * @returns {string}
 */
function tokensOf({ inputTokens, outputTokens, totalTokens }) {
  return `${inputTokens} + ${outputTokens} = ${totalTokens} tokens`;
}
