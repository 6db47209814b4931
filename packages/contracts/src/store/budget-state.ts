/** Usage of a budget account on one day. */
export interface BudgetUse {
  /** Name of the account, such as `server` or `owner:alice`. */
  account: string;
  /** Day, in UTC, such as `2026-11-29`. Each process determines the day by its own clock. */
  day: string;
  /** Number of input and output tokens. */
  tokens: number;
  /** Cost, in millionths of a US dollar. */
  cost_micros: number;
}

/**
 * Note that a machine has seen a hold (an amount reserved in a budget). When the process of the hold extends it, all
 * notes about the hold are removed.
 */
export interface BudgetWatch {
  /** Name of the machine. */
  machine: string;
  /**
   * Time at which a process of the machine first saw the hold after its last extension, in milliseconds of the
   * machine's monotonic clock.
   */
  since_ms: number;
}

/** Usage of model calls. */
export interface BudgetCount {
  /** Number of input and output tokens. */
  tokens: number;
  /** Cost, in millionths of a US dollar. */
  cost_micros: number;
}

/**
 * Amount that a process reserves in several budget accounts, for a model call in progress or for an active run. The
 * process extends the hold at intervals. A hold that is not extended expires, because its process has ended.
 */
export interface BudgetHold {
  /** Unique id. */
  id: string;
  /** Names of the accounts. */
  accounts: string[];
  /** Number of reserved tokens. */
  tokens: number;
  /** Reserved cost, in millionths of a US dollar. */
  cost_micros: number;
  /** Number of runs that the hold counts as active: 1 if it was reserved for a run, 0 if for a model call. */
  runs: number;
  /**
   * Machines on which another process has seen this hold since the hold was last extended. If the hold is not extended
   * in time, a process of one of these machines ends it.
   */
  watched: BudgetWatch[];
  /** Id of the hold of the run for which another process makes the model call. Absent if the run's own process makes it. */
  part_of?: string | undefined;
  /** Usage that other processes have counted for the run. Absent: none. */
  counted?: BudgetCount | undefined;
}

/** Shared document with the usage of all budget accounts. */
export interface BudgetState {
  /** Version of this format. */
  format: 2;
  /**
   * Usage by account and day, in the order of the last changes. Contains only the few days that were changed last. An
   * account that used nothing on a day has no entry for it.
   */
  used: BudgetUse[];
  /** Amounts that are reserved now. */
  open: BudgetHold[];
}
