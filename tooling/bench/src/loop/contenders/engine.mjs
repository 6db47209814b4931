// @ts-check
import { createAgentEngine } from "@switchyard/agent";
import { DEPENDENCY, SESSION_INPUT } from "@switchyard/contracts";
import { createBoard, createDependencies, noopHost } from "@switchyard/engine";
import { EMPTY_ENVIRONMENT, ourParts } from "./our-parts.mjs";
import { listener } from "./plan.mjs";

/** @import { Host } from "@switchyard/contracts" */
/** @import { Contender, Plan } from "./plan.mjs" */

/** @type {unknown[]} */
const kept = [];

/**
 * Runs our engine once. The host counts, and calls the given hooks.
 * @param {Plan} plan
 * @param {{ runId: string, host?: Partial<Host> }} options
 */
export async function converseInRun(plan, { runId, host: own = {} }) {
  const { sawCall, sawDelta, seen } = listener(plan);
  const engine = createAgentEngine(ourParts(plan));
  const board = createBoard();
  board.set(SESSION_INPUT, { messages: [{ role: "user", content: "go" }] });
  /** @type {Host} */
  const host = {
    ...noopHost(),
    publish: async (envelope) => {
      if (envelope.type === "tool_call_end") sawCall();
      if (envelope.type === "assistant_text_delta") await sawDelta(envelope.payload.content);
    },
    ...own,
  };
  const deps = createDependencies([
    [DEPENDENCY.environment, EMPTY_ENVIRONMENT],
    [DEPENDENCY.toolAllowedNames, ["look"]],
  ]);
  const run = { id: runId, attributes: {}, deps, signal: new AbortController().signal };
  await engine.execute(run, host, board);
  kept.push([engine, board]);
  return seen();
}

/** Creates the contender of our loop as a contract engine, whose host only listens. @returns {Promise<Contender>} */
export async function openEngine() {
  let runs = 0;
  return {
    converse: (plan) => {
      runs += 1;
      return converseInRun(plan, { runId: `run-${runs}` });
    },
  };
}
