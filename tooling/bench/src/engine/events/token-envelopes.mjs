// @ts-check
import { createEnvelope } from "@switchyard/engine";

/** @import { Envelope } from "@switchyard/contracts" */

/** Run id of all events. */
export const RUN_ID = "bench-run";

/**
 * Creates text deltas of a model in advance.
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
