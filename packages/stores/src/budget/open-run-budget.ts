import {
  type BudgetAmount,
  EngineError,
  type SharedModelBudget,
  toEngineError,
  type Usage,
} from "@switchyard/contracts";
import { type StoreTimer, SYSTEM_TIMER } from "../owner/store-timer.ts";
import type { BudgetAccount, BudgetRefusal, BudgetRequest } from "./budget-account.ts";
import { toAmount } from "./change-state.ts";
import type { BudgetLedger } from "./create-budget-ledger.ts";

/** Shortest and longest pause before a reservation is tried again, in milliseconds. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [20, 1_000];

const NOTHING: BudgetAmount = { tokens: 0, costMicros: 0 };
/** Differences below this value, in tokens or millionths of a dollar, count as 0. Sums of fractions are not exact. */
const SMALLEST = 0.001;

/** Options for `openRunBudget`. */
export interface RunBudgetOptions {
  /** True to wait until another run has ended if the limit of concurrent runs is reached. Default: false. */
  readonly waits?: boolean | undefined;
  /**
   * The `seat` of an active run for which this process works, and whose process waits for this one. If the run is active
   * in the same accounts of the same ledger, this process counts its usage there and does not count as a further run.
   */
  readonly seat?: string | undefined;
  /** Signal that ends the wait. If it aborts when the run has just been reserved, the reservation is ended. */
  readonly signal?: AbortSignal | undefined;
  /** Clock and timers. Default: the system's timers. */
  readonly timer?: StoreTimer | undefined;
}

/** Options for `openCallBudget`. */
export interface CallBudgetOptions {
  /** Called with the usage of each settled call. Default: not called. */
  readonly onUsed?: ((used: BudgetAmount) => void) | undefined;
  /** Clock and timers. Default: the system's timers. */
  readonly timer?: StoreTimer | undefined;
}

/** Shared budgets of model calls. */
export interface CallBudget extends SharedModelBudget {
  /**
   * Counts the reserved amount of each call that was not settled, and waits until all usage is stored. Never rejects.
   */
  close(): Promise<void>;
}

/** Shared budgets of one active run. */
export interface RunBudget extends SharedModelBudget {
  /** Id under which the run counts as active. */
  readonly seat: string;
  /**
   * Notes usage that another process has counted under `seat`, so that `report` does not count it again.
   */
  noteCounted(usage: Pick<Usage, "totalTokens" | "costMicros">): void;
  /**
   * Counts usage that the engine of the run reports. Usage of model calls that reserved an amount is not counted again,
   * because it was counted when the reservation was settled. Contract: the reservation of a call is settled before the
   * usage of the call is reported. Rejects with `budget.day_exceeded` if the budget is then used up, and with
   * `budget.not_counted` if the usage could not be stored.
   */
  report(usage: Pick<Usage, "totalTokens" | "costMicros">): Promise<void>;
  /**
   * Ends the run: counts the reserved amount of each model call that was not settled, waits until all usage is stored,
   * and then no longer counts the run as active. Never rejects.
   */
  close(): Promise<void>;
}

/**
 * Returns the error for a limit that is reached: `budget.day_exceeded` or `budget.too_many_runs`. The error contains no
 * usage of the account `server`, because that would show the usage of other owners.
 */
export function budgetError({ kind, account, day, used, limit, unit }: BudgetRefusal): EngineError {
  if (kind === "too_many_runs") return new EngineError("budget.too_many_runs", { account, limit });
  if (account === "server") {
    return new EngineError("budget.day_exceeded", { account, day, unit, amount: `the limit of ${unit} is reached` });
  }
  const amount = `${used} of ${limit} ${unit}`;
  return new EngineError("budget.day_exceeded", { account, day, used, limit, unit, amount });
}

/** Opens the shared budgets of model calls that belong to no run, such as those of a model that judges runs. */
export function openCallBudget(
  ledger: BudgetLedger,
  accounts: readonly BudgetAccount[],
  { onUsed, timer = SYSTEM_TIMER }: CallBudgetOptions = {},
): CallBudget {
  const settling = new Set<Promise<void>>();
  const open = new Map<string, BudgetAmount>();
  let refusal: EngineError | undefined;

  // If the usage cannot be stored, the reservation expires later, and the reserved amount is counted.
  function settle(id: string, used: BudgetAmount): void {
    const settled = ledger
      .settle(id, used)
      .catch(() => undefined)
      .finally(() => settling.delete(settled));
    settling.add(settled);
  }
  return {
    limitsCost: accounts.some(({ limits }) => limits.costMicrosPerDay !== undefined),
    reserve: async (amount, signal) => {
      const waiting = { request: { ...amount, runs: 0 }, waits: true, signal, timer } as const;
      const id = await reserved(ledger, accounts, waiting).catch((error: unknown) => {
        if (EngineError.is(error, "budget.day_exceeded")) refusal = error;
        throw error;
      });
      open.set(id, amount);
      return {
        settle: (usage) => {
          if (!open.delete(id)) return;
          if (usage !== undefined) onUsed?.(amountOf(usage, NOTHING));
          settle(id, usage === undefined ? NOTHING : amountOf(usage, amount));
        },
      };
    },
    refusal: () => refusal,
    close: async () => {
      for (const [id, amount] of open) settle(id, amount);
      open.clear();
      await Promise.all(settling);
    },
  };
}

/**
 * Counts a run as active in its accounts, and opens its shared budgets. Rejects with `budget.too_many_runs` or
 * `budget.day_exceeded` if the limits of an account do not allow a further run.
 */
export async function openRunBudget(
  ledger: BudgetLedger,
  accounts: readonly BudgetAccount[],
  { waits = false, seat: given, signal, timer = SYSTEM_TIMER }: RunBudgetOptions = {},
): Promise<RunBudget> {
  const active = given === undefined ? undefined : await ledger.accountsOfRun(given);
  const isPart = given !== undefined && active?.join(" ") === accounts.map(({ name }) => name).join(" ");
  const request = { ...NOTHING, runs: 1 } as const;
  const seat = isPart ? given : await reserved(ledger, accounts, { request, waits, signal, timer });
  const unreported = createUnreported();
  const calls = openCallBudget(ledger, accounts, { timer, onUsed: unreported.add });
  return {
    ...{ ...calls, seat },
    noteCounted: (usage) => unreported.add(amountOf(usage, NOTHING)),
    report: async (usage) => {
      const direct = unreported.without(amountOf(usage, NOTHING));
      if (direct.tokens === 0 && direct.costMicros === 0) return;
      const found = await ledger.spend(accounts, direct).catch((error: unknown) => {
        throw new EngineError("budget.not_counted", { problem: toEngineError(error).message }, { cause: error });
      });
      if (found !== undefined) throw budgetError(found);
    },
    close: async () => {
      await calls.close();
      // The process that opened the seat also closes it.
      if (!isPart) await ledger.settle(seat, NOTHING).catch(() => undefined);
    },
  };
}

/** Usage of settled model calls that the engine has not reported yet. */
interface Unreported {
  /** Adds the usage of a settled call. */
  add(settled: BudgetAmount): void;
  /** Removes reported usage. Returns the part of it that belongs to no settled call. */
  without(reported: BudgetAmount): BudgetAmount;
}

/** An engine may report the usage of several calls together, so only sums can be compared. */
function createUnreported(): Unreported {
  let { tokens, costMicros } = NOTHING;
  return {
    add: (settled) => {
      tokens += settled.tokens;
      costMicros += settled.costMicros;
    },
    without: (reported) => {
      const known = {
        tokens: Math.min(tokens, reported.tokens),
        costMicros: Math.min(costMicros, reported.costMicros),
      };
      tokens -= known.tokens;
      costMicros -= known.costMicros;
      return {
        tokens: differenceOf(reported.tokens, known.tokens),
        costMicros: differenceOf(reported.costMicros, known.costMicros),
      };
    },
  };
}

function differenceOf(amount: number, part: number): number {
  return amount - part < SMALLEST ? 0 : amount - part;
}

/** Returns the amount of reported usage. The reserved amount replaces tokens and costs that are unknown or invalid. */
function amountOf(
  { totalTokens, costMicros }: Pick<Usage, "totalTokens" | "costMicros">,
  reserved: BudgetAmount,
): BudgetAmount {
  const isKnown = costMicros !== undefined && Number.isFinite(costMicros) && costMicros >= 0;
  return { tokens: toAmount(totalTokens) || reserved.tokens, costMicros: isKnown ? costMicros : reserved.costMicros };
}

/** A request, and how long to wait until it can be granted. */
interface Waiting {
  readonly request: BudgetRequest;
  readonly waits: boolean;
  readonly signal: AbortSignal | undefined;
  readonly timer: StoreTimer;
}

/**
 * Reserves an amount and resolves with the id of the reservation. If `waits` is true, tries again until other calls or
 * runs have ended. Rejects immediately if the usage of the day has reached a limit.
 */
async function reserved(
  ledger: BudgetLedger,
  accounts: readonly BudgetAccount[],
  { request, waits, signal, timer }: Waiting,
): Promise<string> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
    signal?.throwIfAborted();
    const outcome = await ledger.reserve(accounts, request);
    if (outcome.kind === "reserved") {
      if (signal?.aborted !== true) return outcome.id;
      await ledger.settle(outcome.id, NOTHING);
      continue;
    }
    if (outcome.kind === "used_up" || !waits) throw budgetError(outcome);
    await timer.sleep(pauseMs, { signal });
  }
}
