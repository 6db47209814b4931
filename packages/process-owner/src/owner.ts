/** State of an owner; `unknown` for processes on other machines. */
export type Liveness = "alive" | "dead" | "unknown";

/** Owner of leases, locks and temporary resources. It can check whether other owners are still running. */
export interface Owner {
  /** Unique name of this process: letters, digits, `_` and `-`, at most 80 characters. */
  readonly token: string;
  /** Returns whether the owner of a token is still running. Contract: `dead` only if it can never act again. */
  livenessOf(token: string): Liveness;
}
