/** Reason for an interrupt. Engines behave the same for every reason. See engine: Cause. */
export type Cause = "" | "user_cancel" | "user_input" | "host_shutdown" | "custom";

/** A request to stop cleanly. See engine: Interrupt. */
export interface Interrupt {
  /** Reason for the interrupt. */
  readonly cause: Cause;
  /** Host-defined description. */
  readonly detail?: string | undefined;
}

/**
 * Source of interrupts. Contract: the first interrupt stays set until the run ends, and every reader receives that
 * interrupt.
 */
export interface InterruptSource {
  /** Returns the interrupt; `undefined` if there is none yet. */
  tryReceive(): Interrupt | undefined;
  /** Resolves with the interrupt; `undefined` if the signal aborts first. */
  receive(signal: AbortSignal): Promise<Interrupt | undefined>;
}
