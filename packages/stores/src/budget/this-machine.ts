import { readFileSync } from "node:fs";
import { hostname } from "node:os";

const MS_NANOSECONDS = 1_000_000n;

/** Machine of a ledger's process. */
export interface BudgetMachine {
  /** Name that no other machine with the same store has. */
  readonly name: string;
  /**
   * Returns the time of a monotonic clock that all processes of the machine share, in milliseconds. Like timers, the clock
   * must stand still while the machine is suspended: a process must be able to extend its reservations in time.
   */
  monotonic(): number;
}

/**
 * Returns this machine. Its clock is the same for all processes, so commands that end long before a reservation expires can
 * measure the time together. The time since the start of the machine would include the time of a suspension, and differs
 * between containers.
 */
export function thisMachine(): BudgetMachine {
  return { name: bootId() ?? hostname(), monotonic: () => Number(process.hrtime.bigint() / MS_NANOSECONDS) };
}

/** Returns an id that all containers of a machine share, unlike its host name. `undefined` on systems without `/proc`. */
function bootId(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return undefined;
  }
}
