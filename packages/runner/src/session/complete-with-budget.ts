import type { SessionReport } from "@switchyard/contracts";
import type { RunBudget } from "@switchyard/stores/budget";
import { completeSession } from "./complete-session.ts";
import type { RunningSession } from "./running-session.ts";

/** Runs a session to its end. The shared budget then no longer counts the run as active. Never rejects. */
export async function completeWithBudget(
  session: RunningSession,
  budget: RunBudget | undefined,
): Promise<SessionReport> {
  const report = await completeSession(session);
  await budget?.close();
  return report;
}
