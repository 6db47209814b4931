// @ts-check
import { Session } from "@switchyard/agent";
import { EMPTY_ENVIRONMENT, ourParts } from "./our-parts.mjs";
import { listener } from "./plan.mjs";

/** @import { Contender, Plan } from "./plan.mjs" */
/** @import { SessionEvent } from "@switchyard/agent" */

/** @type {Session[]} */
const kept = [];

/**
 * Reads the events. A slow reader makes them wait.
 * @param {Session} session @param {(event: SessionEvent) => Promise<void> | undefined} take
 */
async function read(session, take) {
  for await (const event of session.submit("go")) {
    const pause = take(event);
    if (pause !== undefined) await pause;
  }
}

/** @param {Plan} plan */
async function converse(plan) {
  const { sawCall, sawDelta, seen } = listener(plan);
  const session = new Session({
    ...ourParts(plan),
    environment: EMPTY_ENVIRONMENT,
    allowedTools: ["look"],
  });
  kept.push(session);
  const take = (/** @type {SessionEvent} */ event) => {
    if (event.type === "tool_call_end") sawCall();
    return event.type === "assistant_text_delta" ? sawDelta(event.data.content) : undefined;
  };
  if (plan.slow) {
    await read(session, take);
  } else {
    session.listen(take);
    await session.process("go");
  }
  return seen();
}

/** Creates the contender of our loop as a library. @returns {Promise<Contender>} */
export async function openSession() {
  return { converse };
}
