import { addUsage, type EventPayloads, type Usage } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";

type Limit = EventPayloads["turn_limit"]["limit"];

/** What a session and all below it used. */
function familyUsage({ conversation, subagents }: SessionCore): Usage {
  return addUsage(conversation.usage, subagents.usage);
}

/**
 * What is counted, and how much of it is allowed; 0 is no limit. Tokens, cost and time are those of the whole family: a
 * subagent uses what is left of its parent's.
 */
function limitsOf(core: SessionCore): readonly [Limit, number, () => number][] {
  const { config, rounds, conversation } = core;
  const root = core.root();
  const { maxTotalTokens, maxCostMicros, maxWallTimeMs } = root.config;
  return [
    ["max_tool_rounds_per_input", config.maxToolRoundsPerInput, () => rounds],
    ["max_turns", config.maxTurns, () => conversation.modelTurns],
    ["max_total_tokens", maxTotalTokens, () => familyUsage(root).totalTokens],
    ["max_cost_micros", maxCostMicros, () => familyUsage(root).costMicros ?? 0],
    ["max_wall_time_ms", maxWallTimeMs, () => core.activeTimer.activeMs],
  ];
}

function hasLimits(core: SessionCore): boolean {
  const { config } = core;
  const { maxTotalTokens, maxCostMicros, maxWallTimeMs } = core.root().config;
  return config.maxToolRoundsPerInput + config.maxTurns + maxTotalTokens + maxCostMicros + maxWallTimeMs > 0;
}

/** Says so and stops when a limit is reached. loop: §2.5 step 1. */
export function limitReached(core: SessionCore): boolean {
  if (!hasLimits(core)) return false;
  for (const [limit, allowed, used] of limitsOf(core)) {
    if (!(allowed > 0)) continue;
    const count = used();
    if (count < allowed) continue;
    core.emit("turn_limit", { limit, count });
    return true;
  }
  return false;
}

/** Says once that a limit on the cost cannot hold, as the price of an answer is not known. */
export function warnOfUnknownCost(core: SessionCore, costMicros: number | undefined): void {
  if (costMicros !== undefined) return;
  const root = core.root();
  if (root.config.maxCostMicros === 0 || root.isCostUnknown) return;
  root.isCostUnknown = true;
  const message = "The price of the model is not known: its answers do not count towards the limit on the cost.";
  core.emit("warning", { message, kind: "cost_unknown" });
}
