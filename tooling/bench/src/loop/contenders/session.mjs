// @ts-check
import { Session } from "@switchyard/agent";
import { EMPTY_ENVIRONMENT, ourParts } from "./our-parts.mjs";
import { listener } from "./plan.mjs";

/** @import { Contender, Plan } from "./plan.mjs" */

/** @type {Session[]} */
const kept = [];

/** @param {Plan} plan */
async function converse(plan) {
  const { sawCall, sawDelta, seen } = listener(plan);
  const session = new Session({
    ...ourParts(plan),
    environment: EMPTY_ENVIRONMENT,
    allowedTools: ["look"],
  });
  kept.push(session);
  for await (const event of session.submit("go")) {
    if (event.type === "tool_call_end") sawCall();
    if (event.type !== "assistant_text_delta") continue;
    const pause = sawDelta(event.data.content);
    if (pause !== undefined) await pause;
  }
  return seen();
}

/** Our loop as a library. @returns {Promise<Contender>} */
export async function openSession() {
  return { converse };
}
