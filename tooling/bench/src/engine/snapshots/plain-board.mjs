// @ts-check
import { MAIN_CHANNEL, textMessage } from "@switchyard/contracts";
import { randomNumbers, randomText } from "../random-text.mjs";

/** @import { Message } from "@switchyard/contracts" */
/** @typedef {{ id: number, path: string, done: boolean, text: string }} Finding */

/**
 * A board's state as mutable plain data: half of it a list variable, half of it a conversation.
 * @typedef {object} PlainBoard
 * @property {{ cursor: number, plan: { goal: string, steps: string[] }, findings: Finding[] }} vars
 * @property {{ [MAIN_CHANNEL]: Message[] }} channels
 */

const TEXT_LENGTH = 200;
// Size of one finding or message as JSON, in bytes.
const ITEM_BYTES = 256;

/**
 * Returns a reproducible state of about this many bytes as JSON.
 * @param {number} bytes
 * @returns {PlainBoard}
 */
export function plainBoard(bytes) {
  const random = randomNumbers(bytes);
  const items = Math.max(1, Math.round(bytes / 2 / ITEM_BYTES));
  const findings = Array.from({ length: items }, (_, id) => ({
    id,
    path: `src/module-${id % 97}/file-${id}.ts`,
    done: id % 3 === 0,
    text: randomText(TEXT_LENGTH, random),
  }));
  const messages = Array.from({ length: items }, (_, index) =>
    textMessage(index % 2 === 0 ? "user" : "assistant", randomText(TEXT_LENGTH, random)),
  );
  const vars = { cursor: 0, plan: { goal: "tidy the house", steps: ["read", "edit", "test"] }, findings };
  return { vars, channels: { [MAIN_CHANNEL]: messages } };
}
