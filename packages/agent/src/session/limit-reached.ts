import { addUsage, type EventPayloads, type Usage } from "@switchyard/contracts";
import type { SessionCore } from "./session-core.ts";

type Limit = EventPayloads["turn_limit"]["limit"];

/** Tokens of the whole family; those of the session where there is no other. */
function usageOf({ conversation, subagents, kept }: SessionCore): Usage {
  if (kept === undefined) return conversation.usage;
  const { root } = subagents;
  return addUsage(root.conversation.usage, root.subagents.usage);
}

/** What is counted, and how much of it is allowed; 0 is no limit. Tokens, cost and time are those of a whole family. */
function limitsOf(core: SessionCore): readonly [Limit, number, () => number][] {
  const { config, rounds, conversation } = core;
  const { clock } = core.subagents.root;
  const usage = usageOf(core);
  return [
    ["max_tool_rounds_per_input", config.maxToolRoundsPerInput, () => rounds],
    ["max_turns", config.maxTurns, () => conversation.modelTurns],
    ["max_total_tokens", config.maxTotalTokens, () => usage.totalTokens],
    ["max_cost_micros", config.maxCostMicros, () => usage.costMicros ?? 0],
    ["max_wall_time_ms", config.maxWallTimeMs, () => clock.workedMs],
  ];
}

function hasLimits({ config }: SessionCore): boolean {
  const { maxToolRoundsPerInput, maxTurns, maxTotalTokens, maxCostMicros, maxWallTimeMs } = config;
  return maxToolRoundsPerInput + maxTurns + maxTotalTokens + maxCostMicros + maxWallTimeMs > 0;
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
  if (core.config.maxCostMicros === 0 || core.isCostUnknown || costMicros !== undefined) return;
  core.isCostUnknown = true;
  const message = "The price of the model is not known: its answers do not count towards the limit on the cost.";
  core.emit("warning", { message, kind: "cost_unknown" });
}
