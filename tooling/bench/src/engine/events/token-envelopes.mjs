// @ts-check
import { createEnvelope } from "@switchyard/engine";

/** @import { Envelope } from "@switchyard/contracts" */

/** Run of all events here. */
export const RUN_ID = "bench-run";

/**
 * Increments of a model's text, made beforehand.
 * @param {number} count
 * @returns {readonly Envelope[]}
 */
export function tokenEnvelopes(count) {
  return Array.from({ length: count }, (_, index) =>
    createEnvelope(
      "assistant_text_delta",
      { type: "token", content: `token ${index} ` },
      { runId: RUN_ID, actor: "agent", attempt: 1, now: () => 1_700_000_000_000 + index, createId: () => `e-${index}` },
    ),
  );
}
