/** Usage of a budget account on one day. */
export interface BudgetUse {
  /** Name of the account, such as `server` or `owner:alice`. */
  account: string;
  /** Number of input and output tokens. */
  tokens: number;
  /** Cost, in millionths of a US dollar. */
  cost_micros: number;
}

/** Amount that a process holds in several accounts: for a model call in progress, or for an active run. */
export interface BudgetHold {
  /** Unique id. */
  id: string;
  /** Names of the accounts. */
  accounts: string[];
  /** Number of reserved tokens. */
  tokens: number;
  /** Reserved cost, in millionths of a US dollar. */
  cost_micros: number;
  /** Number of active runs: 1 for a run, 0 for a model call. */
  runs: number;
  /** Time at which the reservation expires unless its process extends it, in milliseconds since 1970. */
  expires_at_ms: number;
}

/** Shared document with the usage of all budget accounts. */
export interface BudgetState {
  /** Version of this format. */
  format: 1;
  /** Day to which `used` applies, in UTC, such as `2026-11-29`. */
  day: string;
  /** Usage on this day. Accounts without usage are absent. */
  used: BudgetUse[];
  /** Amounts that are held now. */
  open: BudgetHold[];
}
