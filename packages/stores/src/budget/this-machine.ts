import { readFileSync } from "node:fs";
import { hostname } from "node:os";

const MS_NANOSECONDS = 1_000_000n;

/** Machine on which a process uses a budget ledger. */
export interface BudgetMachine {
  /** Name of the machine, unique among the machines that use the same store. */
  readonly name: string;
  /**
   * Returns the time of a monotonic clock that all processes of the machine share, in milliseconds. The clock must
   * stand still while the machine is suspended, as timers do. Otherwise, a reservation would expire during the
   * suspension, before its process can extend it.
   */
  monotonic(): number;
}

/**
 * Returns this machine. Its clock shows the same time in all processes. Therefore one command can note when it first
 * saw a reservation, and a later one can tell that the reservation has expired, even if both run only for a short time.
 * The uptime of the machine is not used: it would include the time of a suspension, and it differs between containers.
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
