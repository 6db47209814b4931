// @ts-check
import { createHash } from "node:crypto";

/** @import { Checkpoint } from "@switchyard/contracts" */

/**
 * Returns a digest of a checkpoint, equal for a saved checkpoint and its loaded copy.
 * @param {Checkpoint} checkpoint
 * @returns {string}
 */
export function digestOfCheckpoint({ execId, step, iteration, board, payload, timestamp }) {
  const text = JSON.stringify({ execId, step, iteration, board, payload, timestamp }, inOrder);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/**
 * @param {string} _
 * @param {unknown} value
 * @returns {unknown}
 */
function inOrder(_, value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
