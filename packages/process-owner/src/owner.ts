/** What is known of an owner: nobody can tell of a process elsewhere. */
export type Liveness = "alive" | "dead" | "unknown";

/** Who holds leases, locks and whatever is to be cleaned up behind the dead; and what can be told of others who do. */
export interface Owner {
  /** Names this process among all that ever were: letters, digits, `_` and `-`, at most 80. */
  readonly token: string;
  /** Whether the owner that a token names still runs. Contract: `dead` only when it can never do anything again. */
  livenessOf(token: string): Liveness;
}
