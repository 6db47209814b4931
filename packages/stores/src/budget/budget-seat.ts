import { isRecord } from "../codec/encode-value.ts";

/** Files with which other processes of the machine open the budgets of a run. */
export interface BudgetPlace {
  /** Absolute path of the budget file, which contains the limits. */
  readonly budgets: string;
  /** Absolute path of the folder that stores the usage. */
  readonly state: string;
}

/** Active run for which another process may count usage. */
export interface BudgetSeat {
  /** Id of the run in the ledger. */
  readonly id: string;
  /** Files of the run's budgets. `undefined`: other processes use the budgets of their own settings. */
  readonly place?: BudgetPlace | undefined;
}

/** Returns the text of a seat. {@link parseSeat} reads it. */
export function formatSeat({ id, place }: BudgetSeat): string {
  return place === undefined ? id : JSON.stringify({ id, budgets: place.budgets, state: place.state });
}

/**
 * Parses the text of a seat, such as `RunBudget.seat`. A text that `openRunBudget` has not returned becomes the id of a
 * run that is not active.
 */
export function parseSeat(text: string): BudgetSeat {
  const { id, budgets, state } = fieldsOf(text);
  if (typeof id !== "string") return { id: text };
  return typeof budgets === "string" && typeof state === "string" ? { id, place: { budgets, state } } : { id };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
