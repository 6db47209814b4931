// @ts-check
import {
  callsOf,
  conversationsOf,
  effectOf,
  isInBackground,
  isLost,
  isUnknown,
  resultsOf,
  wasBuilt,
} from "./conversation.mjs";
import { momentsOf, wasInjured } from "./history.mjs";

/** @import { TranscriptMessage, TranscriptToolCall, TranscriptToolResult } from "@switchyard/contracts" */
/** @import { History, Violation } from "./history.mjs" */

/**
 * D4: a call of an unsafe tool takes effect at most once. An operation that the model repeats only if it is missing
 * takes effect exactly once. A call has at most one outcome.
 * @param {History} history
 * @returns {Violation[]}
 */
export function checkEffects({ ledger, final }) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const { operation } of ledger) times.set(operation, (times.get(operation) ?? 0) + 1);
  /** @type {Violation[]} */
  const repeated = [...times]
    .filter(([, count]) => count > 1)
    .map(([operation, count]) => {
      return { promise: "D4", kind: "duplicate_effect", detail: `${operation} took effect ${count} times` };
    });
  if (final === undefined) return repeated;
  /** @type {Violation[]} */
  const outcomes = conversationsOf(final).flatMap(([agent, transcript]) => {
    const doubles = [...resultsOf(transcript)].filter(([, results]) => results.length > 1);
    return doubles.map(([id, { length }]) => {
      return { promise: "D4", kind: "double_outcome", detail: `${id} of ${agent} has ${length} outcomes` };
    });
  });
  return [...repeated, ...outcomes, ...doubleEnds(final.events)];
}

/**
 * @param {NonNullable<History["final"]>["events"]} events
 * @returns {Violation[]}
 */
function doubleEnds(events) {
  /** @type {Set<string>} */
  const seen = new Set();
  /** @type {Violation[]} */
  const violations = [];
  for (const event of events) {
    if (event.type !== "tool_call_end") continue;
    const { attempt, headers, payload } = event;
    const key = `${payload.tool_call_id} of ${headers["agent_id"] ?? "the agent"} in attempt ${attempt}`;
    if (seen.has(key)) violations.push({ promise: "D4", kind: "double_outcome", detail: `${key} ended twice` });
    seen.add(key);
  }
  return violations;
}

/**
 * D4: no process of a dead attempt continues during the next one, and none is left when the run is over.
 * @param {History} history
 * @returns {Violation[]}
 */
export function checkLeftProcesses(history) {
  const before = momentsOf(history, "resumed").flatMap(({ moment: { attempt, left = [] } }) => {
    return left.map((command) => `attempt ${attempt} began beside ${command}`);
  });
  const behind = momentsOf(history, "left").flatMap(({ moment: { commands } }) => {
    return commands.map((command) => `the run is over and left ${command}`);
  });
  return [...before, ...behind].map((detail) => ({ promise: "D4", kind: "process_left", detail }));
}

/**
 * D5: conversations report effects as they happened, or state that the outcome is unknown.
 * @param {History} history
 * @returns {Violation[]}
 */
export function checkAmbiguity(history) {
  const { ledger, final } = history;
  if (final === undefined) return [];
  const happened = new Set(ledger.map(({ operation, attempt }) => `${operation} ${attempt}`));
  const conversations = conversationsOf(final);
  const judged = conversations.flatMap(([agent, transcript]) => {
    const results = resultsOf(transcript);
    return callsOf(transcript).flatMap((call) => {
      const [result] = results.get(call.id) ?? [];
      const problem = problemOf({ call, result }, { transcript, happened, isInjured: wasInjured(history) });
      return problem === undefined ? [] : [{ ...problem, detail: `${call.id} of ${agent} ${problem.detail}` }];
    });
  });
  const intended = new Set(conversations.flatMap(([, transcript]) => callsOf(transcript)).map(effectIn));
  const unasked = [...happened].filter((effect) => !intended.has(effect));
  return [
    ...judged,
    ...unasked.map((effect) => {
      return /** @type {Violation} */ ({
        promise: "D5",
        kind: "effect_without_intent",
        detail: `${effect} is in no call`,
      });
    }),
  ];
}

/**
 * @param {TranscriptToolCall} call
 * @returns {string | undefined}
 */
function effectIn(call) {
  return effectOf(call.arguments);
}

/**
 * @param {{ call: TranscriptToolCall, result: TranscriptToolResult | undefined }} made
 * @param {{ transcript: readonly TranscriptMessage[], happened: ReadonlySet<string>, isInjured: boolean }} known
 * @returns {Violation | undefined}
 */
function problemOf({ call, result }, { transcript, happened, isInjured }) {
  const effect = effectIn(call);
  if (result === undefined) {
    return effect === undefined ? undefined : { promise: "D5", kind: "fabricated_outcome", detail: "has no outcome" };
  }
  if (isUnknown(result.content) || isLost(result.content)) {
    if (isInjured) return undefined;
    return { promise: "D5", kind: "unfounded_ambiguity", detail: "is unknown without a crash" };
  }
  if (effect === undefined) return undefined;
  // The command was started, and a crash may have ended it before it took effect.
  const isOwed = !isInBackground(call) || wasBuilt(transcript, call.id);
  if (result.status === "ok" && (happened.has(effect) || !isOwed)) return undefined;
  const detail = `is ${result.status}, the ledger ${happened.has(effect) ? "has" : "lacks"} ${effect}`;
  return { promise: "D5", kind: "fabricated_outcome", detail };
}
