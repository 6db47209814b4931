import type { Engine } from "@switchyard/contracts";
import type { RunEvents } from "../host/run-events.ts";
import { isRecord } from "../input/is-record.ts";
import type { SessionPlan } from "../session/session-plan.ts";

/** Properties of a session from which budget warnings are derived. */
interface BudgetedSession {
  readonly plan: SessionPlan;
  readonly events: RunEvents;
}

/**
 * Warns, before the run starts, if a token budget cannot have an effect. See agent-adapter: surface capabilities and
 * budgeting.
 */
export async function warnOfBudget({ plan, events }: BudgetedSession): Promise<void> {
  const { options, engine, engineName, input } = plan;
  if (options.budget?.totalTokens === undefined || !reportsNoTokens(engine)) return;
  const other = (input.timeout_seconds ?? 0) > 0 ? "only its time limit applies" : "set a time limit";
  await events.warn(
    "budget_without_effect",
    `${engineName} does not report tokens, so the token limit has no effect; ${other}.`,
  );
}

/** Warns that a cost limit does not count usage of models with unknown prices. */
export async function warnOfUnknownCost({ plan, events }: BudgetedSession): Promise<void> {
  await events.warn(
    "budget_without_effect",
    `What ${plan.engineName} uses has a price that is not known, so it does not count towards the limit on the cost; set a limit on the tokens or the time as well.`,
  );
}

/** Returns whether the engine's adapter declares that its agent reports no tokens. */
function reportsNoTokens(engine: Engine & { readonly agent?: unknown }): boolean {
  const { agent } = engine;
  return isRecord(agent) && agent["usage"] === "none";
}
