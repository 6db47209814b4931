import type { JSX } from "preact";
import { usePolling } from "../controls/use-polling.ts";
import { useSession } from "../session/session.ts";
import { budgetParts } from "./budget-parts.ts";

/** Interval at which the budget is reloaded, in milliseconds. */
const REFRESH_MS = 15_000;

/** Today's budget of the user's owner. Empty if the owner has none. */
export function BudgetLine(): JSX.Element | null {
  const { runs } = useSession().connection.client;
  const { data } = usePolling("budget", (signal) => runs.caller({ signal }), REFRESH_MS);
  if (data?.budget === undefined) return null;
  return <p>Your budget today: {budgetParts(data.budget).join(" · ")}</p>;
}
