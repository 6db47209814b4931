/** What is known of the owner of a lease: nobody can tell of a process elsewhere. */
export type Liveness = "alive" | "dead" | "unknown";

/** Who holds leases, and what can be told of others who do. */
export interface Owner {
  /** Names this process among all that ever were: letters, digits, `_` and `-`, at most 80. */
  readonly token: string;
  /** Whether the owner of a lease still runs. Contract: `dead` only when it can never write again. */
  livenessOf(token: string): Liveness;
}
