/** Limits of a budget account. Absent limits do not apply. */
export interface BudgetLimits {
  /** Maximum number of input and output tokens per day (UTC). */
  readonly tokensPerDay?: number | undefined;
  /** Maximum cost per day (UTC), in millionths of a US dollar. */
  readonly costMicrosPerDay?: number | undefined;
  /** Maximum number of concurrent runs. */
  readonly concurrentRuns?: number | undefined;
}

/** Account to which the usage of runs is charged, such as that of an owner or of a server. */
export interface BudgetAccount {
  /** Name, such as `server` or `owner:alice`. Processes that use the same store share the account with this name. */
  readonly name: string;
  /** Limits that this process enforces. */
  readonly limits: BudgetLimits;
}

/** Current usage of an account. */
export interface BudgetAccountUse {
  /** Name of the account. */
  readonly name: string;
  /** Number of tokens used on the day. */
  readonly tokens: number;
  /** Cost on the day, in millionths of a US dollar. */
  readonly costMicros: number;
  /** Number of tokens that model calls in progress have reserved. */
  readonly reservedTokens: number;
  /** Cost that model calls in progress have reserved, in millionths of a US dollar. */
  readonly reservedCostMicros: number;
  /** Number of active runs. */
  readonly runs: number;
}

/** Amount to reserve in accounts: for a model call, or for a run. */
export interface BudgetRequest {
  /** Number of tokens to reserve. 0 for a run, because each of its model calls makes its own reservation. */
  readonly tokens: number;
  /**
   * Cost to reserve, in millionths of a US dollar. 0 for a run, because each of its model calls makes its own
   * reservation.
   */
  readonly costMicros: number;
  /** Number of concurrent runs: 1 to reserve a run, 0 to reserve a model call. */
  readonly runs: 0 | 1;
  /** Id of the active run for which this process makes a model call, if another process executes the run. */
  readonly partOf?: string | undefined;
}

/** Reason why an amount was not reserved. */
export interface BudgetRefusal {
  /**
   * `used_up`: the usage of the day has reached a limit. `busy`: the reservations of calls in progress may use up the
   * rest of the budget. `too_many_runs`: the limit of concurrent runs is reached.
   */
  readonly kind: "used_up" | "busy" | "too_many_runs";
  /** Name of the account whose limit is reached. */
  readonly account: string;
  /** Day, such as `2026-11-29`. */
  readonly day: string;
  /**
   * Amount that is compared with the limit. `used_up`: usage of the day. `busy`: usage of the day plus reservations.
   * `too_many_runs`: number of active runs.
   */
  readonly used: number;
  /** Limit of the account. */
  readonly limit: number;
  /** Unit of `used` and `limit`, for messages. */
  readonly unit: string;
}

/** Outcome of a request to reserve an amount. */
export type BudgetOutcome = { readonly kind: "reserved"; readonly id: string } | BudgetRefusal;
