// @ts-check
import { MAIN_CHANNEL, textMessage } from "@switchyard/contracts";

/** @import { Board } from "@switchyard/contracts" */
/** @import { Finding, PlainBoard } from "./plain-board.mjs" */

/**
 * One small change, in two variants: on a board, and on plain data.
 * @typedef {object} Change
 * @property {(board: Board, count: number) => void} onBoard
 * @property {(draft: PlainBoard, count: number, before: PlainBoard) => void} onDraft looks for things in `before`,
 * which is faster than in the draft
 */

const MESSAGE = textMessage("assistant", "One more message.");

/**
 * @param {unknown} value
 * @returns {value is Finding}
 */
function isFinding(value) {
  return typeof value === "object" && value !== null && "path" in value;
}

/**
 * @param {number} id
 * @returns {(item: unknown) => boolean}
 */
export function hasId(id) {
  return (item) => isFinding(item) && item.id === id;
}

/**
 * Returns the index of the first matching item. A loop is faster than `findIndex`.
 * @param {readonly unknown[]} items
 * @param {(item: unknown) => boolean} isWanted
 * @returns {number}
 */
export function searchIn(items, isWanted) {
  for (let index = 0; index < items.length; index += 1) {
    if (isWanted(items[index])) return index;
  }
  return -1;
}

/**
 * @param {number} index of the finding that is changed
 * @returns {Change}
 */
function changeOfItem(index) {
  const isWanted = hasId(index);
  return {
    onBoard: (board, count) =>
      board.updateSliceVarItem("findings", isWanted, (item) =>
        isFinding(item) ? { ...item, text: `Changed ${count} times.` } : item,
      ),
    onDraft: ({ vars }, count, before) => {
      const finding = vars.findings[searchIn(before.vars.findings, isWanted)];
      if (finding !== undefined) finding.text = `Changed ${count} times.`;
    },
  };
}

/**
 * Returns the small changes that are measured.
 * @param {number} middle index of a finding half of the others have to be looked at to find
 */
export function boardChanges(middle) {
  return /** @satisfies {Readonly<Record<string, Change>>} */ ({
    "one variable": {
      onBoard: (board, count) => board.setVar("cursor", count),
      onDraft: ({ vars }, count) => {
        vars.cursor = count;
      },
    },
    "one message appended": {
      onBoard: (board) => board.appendChannelMessage(MAIN_CHANNEL, MESSAGE),
      onDraft: ({ channels }) => {
        channels[MAIN_CHANNEL].push(MESSAGE);
      },
    },
    "first item of a list": changeOfItem(0),
    "middle item of a list": changeOfItem(middle),
  });
}
