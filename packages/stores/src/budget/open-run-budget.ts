import {
  type BudgetAmount,
  EngineError,
  type SharedModelBudget,
  toEngineError,
  type Usage,
} from "@switchyard/contracts";
import { type StoreTimer, SYSTEM_TIMER } from "../owner/store-timer.ts";
import type { BudgetAccount, BudgetRefusal, BudgetRequest } from "./budget-account.ts";
import { type BudgetPlace, formatSeat, parseSeat } from "./budget-seat.ts";
import { toAmount } from "./change-state.ts";
import type { BudgetLedger } from "./create-budget-ledger.ts";
import { createReportedUsage, isNothing, NOTHING } from "./reported-usage.ts";

/** Shortest and longest pause before a reservation is tried again, in milliseconds. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [20, 1_000];

/** Options for `openRunBudget`. */
export interface RunBudgetOptions {
  /** True to wait until another run has ended if the limit of concurrent runs is reached. Default: false. */
  readonly waits?: boolean | undefined;
  /**
   * The `seat` of an active run for which this process works, and whose process waits for this one. If the run is active
   * in the same accounts of the same ledger, this process counts its usage there and does not count as a further run.
   */
  readonly seat?: string | undefined;
  /**
   * Files with which processes that work for the run open its budgets. They become part of the budget's `seat`.
   * `undefined`: these processes use their own settings.
   */
  readonly place?: BudgetPlace | undefined;
  /** Signal that ends the wait. If it aborts when the run has just been reserved, the reservation is ended. */
  readonly signal?: AbortSignal | undefined;
  /** Clock and timers. Default: the system's timers. */
  readonly timer?: StoreTimer | undefined;
}

/** Options for `openCallBudget`. */
export interface CallBudgetOptions {
  /**
   * Called with the known usage of each settled call, and with the amount that counts as its usage. Default: not called.
   */
  readonly onUsed?: ((known: BudgetAmount, counted: BudgetAmount) => void) | undefined;
  /** Id of the active run for which the calls are made, if another process executes the run. */
  readonly partOf?: string | undefined;
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
  /** Text that names the active run. {@link parseSeat} returns its parts. */
  readonly seat: string;
  /**
   * Counts usage that the engine of the run reports. Usage of model calls that reserved an amount is not counted again,
   * because it was counted when the reservation was settled. The same applies to usage that other processes have counted
   * with `seat`, according to the ledger. Contract: the reservation of a call is settled before the usage of the call is
   * reported. Rejects with `budget.day_exceeded` if the budget is then used up, and with
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
  { onUsed, partOf, timer = SYSTEM_TIMER }: CallBudgetOptions = {},
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
      const waiting = { request: { ...amount, runs: 0, partOf }, waits: true, signal, timer } as const;
      const id = await reserved(ledger, accounts, waiting).catch((error: unknown) => {
        if (EngineError.is(error, "budget.day_exceeded")) refusal = error;
        throw error;
      });
      open.set(id, amount);
      return {
        settle: (usage) => {
          if (!open.delete(id)) return;
          const counted = usage === undefined ? NOTHING : amountOf(usage, amount);
          if (usage !== undefined) onUsed?.(amountOf(usage, NOTHING), counted);
          settle(id, counted);
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
  { waits = false, seat, place, signal, timer = SYSTEM_TIMER }: RunBudgetOptions = {},
): Promise<RunBudget> {
  const given = seat === undefined ? undefined : parseSeat(seat).id;
  const active = given === undefined ? undefined : await ledger.activeRun(given);
  const isPart = active?.accounts.join(" ") === accounts.map(({ name }) => name).join(" ");
  const partOf = isPart ? given : undefined;
  const request = { ...NOTHING, runs: 1 } as const;
  const id = partOf ?? (await reserved(ledger, accounts, { request, waits, signal, timer }));
  const usage = createReportedUsage(ledger, { id, caller: isPart ? active : undefined });
  const calls = openCallBudget(ledger, accounts, { timer, partOf, onUsed: usage.noteCall });
  const notCounted = (error: unknown): never => {
    throw new EngineError("budget.not_counted", { problem: toEngineError(error).message }, { cause: error });
  };
  return {
    ...{ ...calls, seat: formatSeat({ id, place }) },
    report: async (reported) => {
      const direct = await usage.uncounted(amountOf(reported, NOTHING)).catch(notCounted);
      if (isNothing(direct)) return;
      const found = await ledger.spend(accounts, direct, partOf).catch(notCounted);
      if (found !== undefined) throw budgetError(found);
    },
    close: async () => {
      await calls.close();
      // The process that opened the seat also closes it.
      if (!isPart) await ledger.settle(id, NOTHING).catch(() => undefined);
    },
  };
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
