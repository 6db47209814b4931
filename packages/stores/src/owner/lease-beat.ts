import type { StoreTimer } from "./store-timer.ts";

/**
 * A writer without heartbeats counts as dead after a certain time. Within this time, a live writer sends this number of
 * heartbeats.
 */
export const HEARTBEATS_PER_LEASE = 3;

/** Options of `LeaseBeat`. */
export interface LeaseBeatOptions {
  /** Clock and timers. */
  readonly timer: StoreTimer;
  /** Time without a heartbeat after which another process may take over a run, in milliseconds. */
  readonly leaseMs: number;
  /** Sends a heartbeat and checks the leases. Called at regular intervals. Never rejects. */
  readonly beat: () => Promise<void>;
}

/** Calls a function at the interval of heartbeats while the process holds leases. */
export class LeaseBeat {
  readonly #options: LeaseBeatOptions;
  #ended: AbortController | undefined;

  constructor(options: LeaseBeatOptions) {
    this.#options = options;
  }

  /** Starts to call `beat` repeatedly. Does nothing if it has been started. */
  start(): void {
    if (this.#ended !== undefined) return;
    const ended = new AbortController();
    this.#ended = ended;
    // The signal makes the sleep between two heartbeats reject.
    this.#run(ended.signal).catch(() => undefined);
  }

  /** Stops the calls. */
  stop(): void {
    this.#ended?.abort();
    this.#ended = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { timer, leaseMs, beat } = this.#options;
    for (;;) {
      await timer.sleep(leaseMs / HEARTBEATS_PER_LEASE, { signal, isBackground: true });
      await beat();
    }
  }
}
