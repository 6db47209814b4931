// @ts-check
import { callsOf, effectOf, isUnknown, resultsOf } from "./conversation.mjs";
import { wasInjured } from "./history.mjs";

/** @import { History, Violation } from "./history.mjs" */

/**
 * D4: one call of an unsafe tool takes effect at most once, an operation that the model repeats only when it is
 * missing exactly once, and a call has at most one outcome.
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
  const outcomes = [...resultsOf(final.report.result?.transcript ?? [])]
    .filter(([, results]) => results.length > 1)
    .map(([id, { length }]) => ({ promise: "D4", kind: "double_outcome", detail: `${id} has ${length} outcomes` }));
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
    const key = `${event.payload.tool_call_id} in attempt ${event.attempt}`;
    if (seen.has(key)) violations.push({ promise: "D4", kind: "double_outcome", detail: `${key} ended twice` });
    seen.add(key);
  }
  return violations;
}

/**
 * D5: what the conversation says about an effect is what happened; where that is not known, it says so.
 * @param {History} history
 * @returns {Violation[]}
 */
export function checkAmbiguity(history) {
  const { ledger, final } = history;
  if (final === undefined) return [];
  const transcript = final.report.result?.transcript ?? [];
  const results = resultsOf(transcript);
  const happened = new Set(ledger.map(({ operation, attempt }) => `${operation} ${attempt}`));
  /** @type {Violation[]} */
  const violations = [];
  /** @type {Set<string>} */
  const intended = new Set();
  for (const call of callsOf(transcript)) {
    const effect = effectOf(call.arguments);
    if (effect === undefined) continue;
    intended.add(effect);
    const [result] = results.get(call.id) ?? [];
    if (result === undefined) {
      violations.push({ promise: "D5", kind: "fabricated_outcome", detail: `${call.id} has no outcome` });
    } else if (isUnknown(result.content)) {
      if (wasInjured(history)) continue;
      violations.push({ promise: "D5", kind: "unfounded_ambiguity", detail: `${call.id} is unknown without a crash` });
    } else if (result.status !== "ok" || !happened.has(effect)) {
      const detail = `${call.id} is ${result.status}, the ledger ${happened.has(effect) ? "has" : "lacks"} ${effect}`;
      violations.push({ promise: "D5", kind: "fabricated_outcome", detail });
    }
  }
  for (const effect of happened) {
    if (!intended.has(effect)) {
      violations.push({ promise: "D5", kind: "effect_without_intent", detail: `${effect} is in no call` });
    }
  }
  return violations;
}
