import { addUsage, type EventPayloads, type Usage } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";

type Limit = EventPayloads["turn_limit"]["limit"];

/** Returns the usage of a session and its subagents. */
function familyUsage({ conversation, subagents }: SessionCore): Usage {
  return addUsage(conversation.usage, subagents.usage);
}

/**
 * Returns each limit with its maximum and a function that returns the current value. A maximum of 0 means no limit.
 * Limits of tokens, cost and time apply to the root session and all subagents together.
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

/** Returns whether a limit of the session is reached. If so, emits the event `turn_limit`. See loop: §2.5 step 1. */
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

/** Warns once that a cost limit cannot be enforced, because the price of a response is unknown. */
export function warnOfUnknownCost(core: SessionCore, costMicros: number | undefined): void {
  if (costMicros !== undefined) return;
  const root = core.root();
  if (root.config.maxCostMicros === 0 || root.isCostUnknown) return;
  root.isCostUnknown = true;
  const message = "The price of the model is not known: its answers do not count towards the limit on the cost.";
  core.emit("warning", { message, kind: "cost_unknown" });
}
