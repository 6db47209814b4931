/** Weight of an owner when free workers are shared between owners, and limits on the owner's runs. */
export interface OwnerQuota {
  /**
   * Weight of the owner among owners with waiting runs. An owner with weight 2 starts twice as many runs as an owner
   * with weight 1. Default: 1.
   */
  readonly weight?: number | undefined;
  /** Maximum number of concurrent runs. Default: unlimited. */
  readonly maxRunning?: number | undefined;
  /** Maximum number of runs that start on one day (UTC). Default: unlimited. */
  readonly maxStartsPerDay?: number | undefined;
  /** Maximum number of waiting runs. Default: `maxQueuedPerOwner` of the server. */
  readonly maxQueued?: number | undefined;
}

/** Number of an owner's runs, and the limits that apply to them. */
export interface OwnerUsage {
  /** Number of waiting runs. */
  readonly waiting: number;
  /** Number of running runs. */
  readonly running: number;
  /** Number of runs that started on the given day. */
  readonly started: number;
  /** Number of further runs that may wait. */
  readonly waitingLeft: number;
  /** Weight and limits of the owner. */
  readonly quota: OwnerQuota;
}
