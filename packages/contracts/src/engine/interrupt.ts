/** Why a run is asked to stop. Engines never branch on it. engine: Cause. */
export type Cause = "" | "user_cancel" | "user_input" | "host_shutdown" | "custom";

/** A request to stop cleanly. engine: Interrupt. */
export interface Interrupt {
  /** Why. */
  readonly cause: Cause;
  /** In the host's own words. */
  readonly detail?: string | undefined;
}

/** Where interrupts come from. Contract: an interrupt is latched until the run ends; every reader sees the first. */
export interface InterruptSource {
  /** The interrupt, if there is one already. */
  tryReceive(): Interrupt | undefined;
  /** Waits for it; resolves with nothing when the signal fires first. */
  receive(signal: AbortSignal): Promise<Interrupt | undefined>;
}
