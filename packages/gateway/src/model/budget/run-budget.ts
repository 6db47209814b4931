import { addUsage, EngineError, NO_USAGE, type Usage } from "@switchyard/contracts";
import type { GatewayUsage, ModelBudget } from "../gateway-options.ts";

/** Tokens and cost, as they are reserved for a call or used by it. */
export interface Amount {
  readonly tokens: number;
  readonly costMicros: number;
}

/** Part of a budget that is reserved for one call. */
export interface Reservation {
  /** Replaces the reserved amount with the usage of the call. Has an effect only once. */
  settle(usage: Usage | undefined): void;
  /** Releases the reserved amount of a call that was refused, which therefore does not count. */
  cancel(): void;
}

/** Budget of one run. */
export interface RunBudget {
  /** True if the budget limits the cost. */
  readonly limitsCost: boolean;
  /**
   * Reserves an amount for a call. If the reservations of other calls leave too little, waits until they are settled.
   * If no other call is in progress, the call may begin as long as any budget is left. A run therefore exceeds its
   * budget by at most the estimation error of its calls in progress. Rejects with `gateway.budget_exceeded` if the
   * budget is used up.
   */
  reserve(amount: Amount, signal: AbortSignal): Promise<Reservation>;
  /** Returns what was used so far. */
  used(): GatewayUsage;
}

const AMOUNTS = [
  ["tokens", "tokens"],
  ["costMicros", "millionths of a US dollar"],
] as const;

function exceeded(limit: number, unit: string): EngineError {
  return new EngineError("gateway.budget_exceeded", { limit, unit });
}

function assertLimits(limits: ModelBudget): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (limit !== undefined && !(Number(limit) >= 0)) {
      throw new EngineError("config.invalid", { field: `budget.${name}`, problem: "it is not a number of at least 0" });
    }
  }
}

/** Creates the list of calls that wait until another call is settled. `announce` lets all of them continue. */
function createSettlements(): { next(signal: AbortSignal): Promise<void>; announce(): void } {
  let waiting: (() => void)[] = [];
  return {
    next: (signal) =>
      new Promise((resolve, reject) => {
        const abort = (): void =>
          reject(new EngineError("gateway.call_aborted", { problem: "the engine closed the connection" }));
        if (signal.aborted) return abort();
        signal.addEventListener("abort", abort, { once: true });
        waiting.push(() => {
          signal.removeEventListener("abort", abort);
          resolve();
        });
      }),
    announce: () => {
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}

/** Creates the budget of one run. Throws `config.invalid` for a limit that is not a number of at least 0. */
export function createRunBudget(limits: ModelBudget = {}): RunBudget {
  assertLimits(limits);
  let calls = 0;
  let usage: Usage = { ...NO_USAGE };
  const reserved = new Set<Amount>();
  const settlements = createSettlements();

  function spent(name: keyof Amount): number {
    return name === "tokens" ? usage.totalTokens : (usage.costMicros ?? 0);
  }
  function assertLeft(): void {
    if (limits.calls !== undefined && calls >= limits.calls) throw exceeded(limits.calls, "model calls");
    for (const [name, unit] of AMOUNTS) {
      const limit = limits[name];
      if (limit !== undefined && spent(name) >= limit) throw exceeded(limit, unit);
    }
  }
  function fits(amount: Amount): boolean {
    if (reserved.size === 0) return true;
    return AMOUNTS.every(([name]) => {
      const limit = limits[name];
      const others = [...reserved].reduce((sum, one) => sum + one[name], 0);
      return limit === undefined || spent(name) + others + amount[name] <= limit;
    });
  }
  function open(amount: Amount): Reservation {
    calls += 1;
    reserved.add(amount);
    const release = (settle: () => void): void => {
      if (!reserved.delete(amount)) return;
      settle();
      settlements.announce();
    };
    return {
      settle: (used) =>
        release(() => {
          if (used !== undefined) usage = addUsage(usage, used);
        }),
      cancel: () =>
        release(() => {
          calls -= 1;
        }),
    };
  }
  return {
    limitsCost: limits.costMicros !== undefined,
    async reserve(amount, signal) {
      const own = { ...amount };
      for (;;) {
        assertLeft();
        if (fits(own)) return open(own);
        await settlements.next(signal);
      }
    },
    used: () => ({ calls, usage: { ...usage } }),
  };
}
