import { readFileSync } from "node:fs";
import { hostname, uptime } from "node:os";

const SECOND_MS = 1_000;

/** Machine of a ledger's process. */
export interface BudgetMachine {
  /** Name that no other machine with the same store has. */
  readonly name: string;
  /** Returns the time of a monotonic clock that all processes of the machine share, in milliseconds. */
  monotonic(): number;
}

/**
 * Returns this machine. Its clock is the time since its start, so commands that end long before a reservation expires can
 * measure the time together.
 */
export function thisMachine(): BudgetMachine {
  return { name: bootId() ?? hostname(), monotonic: () => uptime() * SECOND_MS };
}

/** Returns an id that all containers of a machine share, unlike its host name. `undefined` on systems without `/proc`. */
function bootId(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return undefined;
  }
}
