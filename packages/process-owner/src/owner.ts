/**
 * Whether the process that owns a lease, lock or temporary resource is alive. `unknown` for a process on another
 * machine.
 */
export type Liveness = "alive" | "dead" | "unknown";

/**
 * Identity of this process as the owner of leases, locks and temporary resources. It can also check whether other
 * owners are still running.
 */
export interface Owner {
  /** Unique token that identifies this process: letters, digits, `_` and `-`, at most 80 characters. */
  readonly token: string;
  /**
   * Returns whether the process with this token is still running. Contract: returns `dead` only if the process can
   * never act again.
   */
  livenessOf(token: string): Liveness;
}
