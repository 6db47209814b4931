// @ts-check
import { createBoard, snapshotDelta } from "@switchyard/engine";
import { create } from "mutative";
import { hasId, searchIn } from "./board-changes.mjs";

/** @import { Contender } from "../../figure/take-turns.mjs" */
/** @import { Change } from "./board-changes.mjs" */
/** @import { PlainBoard } from "./plain-board.mjs" */

/**
 * Creates contenders that take a snapshot after each change and share unchanged parts.
 * @param {PlainBoard} state
 * @param {Change} change
 * @param {{ ours: number, mutative: number }} counts
 * @returns {Record<"ours" | "ours with its delta" | "mutative", Contender>}
 */
export function sharingContenders(state, { onBoard, onDraft }, counts) {
  const board = createBoard(state);
  const start = board.snapshot();
  const prepare = () => {
    board.restoreFrom(start);
    onBoard(board, -1);
    board.snapshot();
  };
  const snapshots = (/** @type {number} */ turns) => {
    for (let index = 0; index < turns; index += 1) {
      onBoard(board, index);
      board.snapshot();
    }
  };
  const deltas = (/** @type {number} */ turns) => {
    for (let index = 0, before = board.snapshot(); index < turns; index += 1) {
      onBoard(board, index);
      const after = board.snapshot();
      snapshotDelta(before, after);
      before = after;
    }
  };
  const drafts = (/** @type {number} */ turns) => {
    for (let index = 0, kept = state; index < turns; index += 1) {
      const before = kept;
      kept = create(before, (draft) => onDraft(draft, index, before));
    }
  };
  return {
    ours: { count: counts.ours, prepare, run: snapshots },
    "ours with its delta": { count: counts.ours, prepare, run: deltas },
    mutative: { count: counts.mutative, run: drafts },
  };
}

/**
 * Creates a contender that only searches the findings for one, as the first step of changing it.
 * @param {PlainBoard} state
 * @param {number} id
 * @param {number} count
 * @returns {Contender}
 */
export function searchContender({ vars }, id, count) {
  const isWanted = hasId(id);
  const run = (/** @type {number} */ turns) => {
    for (let index = 0; index < turns; index += 1) {
      if (searchIn(vars.findings, isWanted) === -1) throw new Error(`There is no finding ${id}.`);
    }
  };
  return { count, run };
}

/**
 * Creates contenders that copy everything after each change.
 * @param {PlainBoard} state
 * @param {number} count
 * @returns {Record<"structuredClone" | "JSON round trip", Contender>}
 */
export function copyingContenders(state, count) {
  const copies = (/** @type {(state: PlainBoard) => unknown} */ copy) => (/** @type {number} */ turns) => {
    for (let index = 0; index < turns; index += 1) {
      state.vars.cursor = index;
      copy(state);
    }
  };
  return {
    structuredClone: { count, run: copies((value) => structuredClone(value)) },
    "JSON round trip": { count, run: copies((value) => JSON.parse(JSON.stringify(value))) },
  };
}
