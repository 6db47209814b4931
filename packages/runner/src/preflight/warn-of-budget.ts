import type { Engine } from "@switchyard/contracts";
import type { RunEvents } from "../host/run-events.ts";
import { isRecord } from "../input/is-record.ts";
import type { SessionPlan } from "../session/session-plan.ts";

/** The parts of a session that budget warnings need. */
interface BudgetedSession {
  readonly plan: SessionPlan;
  readonly events: RunEvents;
}

/** Says, before anything runs, when a budget of tokens can have no effect. agent-adapter: surface capabilities and budgeting. */
export async function warnOfBudget({ plan, events }: BudgetedSession): Promise<void> {
  const { options, engine, engineName, input } = plan;
  if (options.budget?.totalTokens === undefined || !reportsNoTokens(engine)) return;
  const other = (input.timeout_seconds ?? 0) > 0 ? "only its time limit holds" : "set a time limit";
  await events.warn(
    "budget_without_effect",
    `${engineName} reports no tokens, so their limit has no effect; ${other}.`,
  );
}

/** Says that a limit on the cost does not hold for all that is used. */
export async function warnOfUnknownCost({ plan, events }: BudgetedSession): Promise<void> {
  await events.warn(
    "budget_without_effect",
    `What ${plan.engineName} uses has a price that is not known, so it does not count towards the limit on the cost; set a limit on the tokens or the time as well.`,
  );
}

/** Engines of adapters say what their agent can do. */
function reportsNoTokens(engine: Engine & { readonly agent?: unknown }): boolean {
  const { agent } = engine;
  return isRecord(agent) && agent["usage"] === "none";
}
