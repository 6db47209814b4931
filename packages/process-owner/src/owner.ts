/** State of an owner. `unknown` for a process on another machine. */
export type Liveness = "alive" | "dead" | "unknown";

/** Owner of leases, locks and temporary resources: this process. Can check whether other owners are still running. */
export interface Owner {
  /** Unique token of this process: letters, digits, `_` and `-`, at most 80 characters. */
  readonly token: string;
  /**
   * Returns whether the owner with this token is still running. Contract: `dead` only if the owner can never act again.
   */
  livenessOf(token: string): Liveness;
}
