import type { Engine } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";
import type { RunningSession } from "../session/running-session.ts";

/** Says, before anything runs, when a budget of tokens can have no effect. agent-adapter: surface capabilities and budgeting. */
export async function warnOfBudget({ plan, events }: Pick<RunningSession, "plan" | "events">): Promise<void> {
  const { options, engine, engineName, input } = plan;
  if (options.budget?.totalTokens === undefined || !reportsNoTokens(engine)) return;
  const other = (input.timeout_seconds ?? 0) > 0 ? "only its time limit holds" : "set a time limit";
  await events.warn(
    "budget_without_effect",
    `${engineName} reports no tokens, so their limit has no effect; ${other}.`,
  );
}

/** Engines of adapters say what their agent can do. */
function reportsNoTokens(engine: Engine & { readonly agent?: unknown }): boolean {
  const { agent } = engine;
  return isRecord(agent) && agent["usage"] === "none";
}
