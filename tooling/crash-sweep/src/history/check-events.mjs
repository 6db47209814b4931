// @ts-check
import { momentsOf } from "./history.mjs";

/** @import { History, Violation } from "./history.mjs" */

/**
 * D8: numbers of the log have no gaps and are used once. Everything that a client saw or that was read under a number
 * is still there.
 * @param {History} history
 * @returns {Violation[]}
 */
export function checkEvents(history) {
  const { final } = history;
  if (final === undefined) return [];
  const ids = final.events.map(({ id }) => id);
  const numbering = [...checkNumbers(final.events), ...checkIds(ids)];
  // Events survive the death of the process, but not a power loss: unflushed ones may be gone, and their numbers
  // reused.
  if (history.powerLoss) return numbering;
  return [...numbering, ...checkSeen(history, ids), ...checkPrefixes(history, ids)];
}

/**
 * @param {NonNullable<History["final"]>["events"]} events
 * @returns {Violation[]}
 */
function checkNumbers(events) {
  return events.flatMap(({ seq, type }, index) => {
    if (seq === index + 1) return [];
    return [{ promise: "D8", kind: "seq_gap", detail: `${type} has number ${seq} in place ${index + 1}` }];
  });
}

/**
 * @param {readonly string[]} ids
 * @returns {Violation[]}
 */
function checkIds(ids) {
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  return repeated.map((id) => ({ promise: "D8", kind: "event_changed", detail: `event ${id} is there twice` }));
}

/**
 * @param {History} history
 * @param {readonly string[]} ids
 * @returns {Violation[]}
 */
function checkSeen(history, ids) {
  return momentsOf(history, "seen").flatMap(({ moment: { seq, id } }) => compare(ids[seq - 1], { seq, id }));
}

/**
 * @param {History} history
 * @param {readonly string[]} ids
 * @returns {Violation[]}
 */
function checkPrefixes(history, ids) {
  return momentsOf(history, "observed").flatMap(({ moment }) => {
    return moment.ids.flatMap((id, index) => compare(ids[index], { seq: index + 1, id }));
  });
}

/**
 * @param {string | undefined} kept
 * @param {{ seq: number, id: string }} seen
 * @returns {Violation[]}
 */
function compare(kept, { seq, id }) {
  if (kept === id) return [];
  const detail = kept === undefined ? `event ${seq} was seen and is gone` : `event ${seq} was ${id} and is ${kept}`;
  return [{ promise: "D8", kind: kept === undefined ? "event_lost" : "event_changed", detail }];
}
