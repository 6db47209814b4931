import type { BudgetAmount, BudgetHold, BudgetState } from "@switchyard/contracts";
import { isoTime } from "@switchyard/contracts";
import type { BudgetAccount, BudgetAccountUse, BudgetRefusal, BudgetRequest } from "./budget-account.ts";

// All functions change the state that they receive. A ledger stores the changed state only if no other process has
// changed it meanwhile.

/** Length of a day in a time such as `2026-11-29T10:00:00.000Z`. */
const DAY_LENGTH = 10;

/**
 * Returns an amount that can be added and stored as JSON. Amounts that are not numbers, not finite or negative count as 0.
 */
export function toAmount(value: number | undefined): number {
  if (value === undefined || !Number.isFinite(value) || value <= 0) return 0;
  return Math.min(value, Number.MAX_SAFE_INTEGER);
}

/** Returns the state of the budgets on the day of the given time, without usage and reservations. */
export function emptyState(nowMs: number): BudgetState {
  return { format: 1, day: isoTime(nowMs).slice(0, DAY_LENGTH), used: [], open: [] };
}

/**
 * Ends holds that were not extended in time, because their process has ended. The provider may have charged their model
 * calls, so the reserved amounts count as used. Then begins a new day if there is one.
 */
export function advance(state: BudgetState, nowMs: number): void {
  for (const hold of state.open.filter(({ expires_at_ms }) => expires_at_ms < nowMs)) {
    close(state, hold, { tokens: hold.tokens, costMicros: hold.cost_micros });
  }
  const { day } = emptyState(nowMs);
  if (day <= state.day) return;
  state.day = day;
  state.used = [];
}

/** Adds a hold to accounts. Returns the reason if a limit does not allow this; the state is then unchanged. */
export function addHold(
  state: BudgetState,
  accounts: readonly BudgetAccount[],
  hold: BudgetHold,
): BudgetRefusal | undefined {
  const refusal = refusalOf(state, accounts, hold);
  if (refusal === undefined) state.open.push(hold);
  return refusal;
}

/** Returns the hold of a request. */
export function holdOf(
  accounts: readonly BudgetAccount[],
  { id, expiresAtMs, ...request }: BudgetRequest & { readonly id: string; readonly expiresAtMs: number },
): BudgetHold {
  const { runs } = request;
  const [tokens, cost_micros] = [toAmount(request.tokens), toAmount(request.costMicros)];
  const names = accounts.map(({ name }) => name);
  return { id, accounts: names, tokens, cost_micros, runs, expires_at_ms: expiresAtMs };
}

/** Returns the reason why a request is not allowed; `undefined` if it is. */
export function refusalOf(
  state: BudgetState,
  accounts: readonly BudgetAccount[],
  { runs }: Pick<BudgetHold, "runs">,
): BudgetRefusal | undefined {
  const refusals = accounts.flatMap((account) => refusalsOf(state, account, runs));
  return refusals.find(({ kind }) => kind === "used_up") ?? refusals[0];
}

function refusalsOf(state: BudgetState, { name: account, limits }: BudgetAccount, runs: number): BudgetRefusal[] {
  const { day } = state;
  const use = useOf(state, account);
  const amounts = [
    { unit: "tokens", limit: limits.tokensPerDay, spent: use.tokens, reserved: use.reservedTokens },
    {
      ...{ unit: "millionths of a US dollar", limit: limits.costMicrosPerDay },
      ...{ spent: use.costMicros, reserved: use.reservedCostMicros },
    },
  ];
  const refusals: BudgetRefusal[] = [];
  for (const { unit, limit, spent, reserved } of amounts) {
    if (limit === undefined) continue;
    if (spent >= limit) refusals.push({ kind: "used_up", account, day, used: spent, limit, unit });
    // A run reserves no tokens, so it can start while calls are in progress.
    else if (runs === 0 && spent + reserved >= limit) {
      refusals.push({ kind: "busy", account, day, used: spent + reserved, limit, unit });
    }
  }
  const limit = limits.concurrentRuns;
  if (runs > 0 && limit !== undefined && use.runs >= limit) {
    refusals.push({ kind: "too_many_runs", account, day, used: use.runs, limit, unit: "runs" });
  }
  return refusals;
}

/** Ends a hold and counts the usage instead. Does nothing if the hold has expired. */
export function settleHold(state: BudgetState, id: string, used: BudgetAmount): void {
  const hold = state.open.find((one) => one.id === id);
  if (hold !== undefined) close(state, hold, used);
}

/** Holds of one process by id. */
export type HeldAmounts = ReadonlyMap<string, BudgetHold>;

/** Extends holds of this process. */
export function extendHolds(state: BudgetState, held: HeldAmounts, expiresAtMs: number): void {
  for (const hold of state.open) if (held.has(hold.id)) hold.expires_at_ms = expiresAtMs;
}

/**
 * Extends the holds of this process that expired while the process was suspended. If another process has ended a hold of an
 * active run meanwhile, adds the hold again. Model calls that another process has ended already count as used.
 */
export function renewHolds(
  state: BudgetState,
  held: HeldAmounts,
  { nowMs, expiresAtMs }: { readonly nowMs: number; readonly expiresAtMs: number },
): void {
  const open = new Map(state.open.map((hold) => [hold.id, hold]));
  for (const hold of held.values()) {
    const found = open.get(hold.id);
    if (found === undefined && hold.runs > 0) state.open.push({ ...hold, expires_at_ms: expiresAtMs });
    if (found !== undefined && found.expires_at_ms < nowMs) found.expires_at_ms = expiresAtMs;
  }
}

/** Counts usage in accounts. */
export function addUse(state: BudgetState, accounts: readonly string[], used: BudgetAmount): void {
  const [tokens, costMicros] = [toAmount(used.tokens), toAmount(used.costMicros)];
  if (tokens === 0 && costMicros === 0) return;
  for (const account of accounts) {
    const use = state.used.find((one) => one.account === account);
    if (use === undefined) state.used.push({ account, tokens, cost_micros: costMicros });
    else
      Object.assign(use, {
        tokens: toAmount(use.tokens + tokens),
        cost_micros: toAmount(use.cost_micros + costMicros),
      });
  }
}

/** Returns the current usage of an account. */
export function useOf(state: Pick<BudgetState, "used" | "open">, name: string): BudgetAccountUse {
  const { tokens = 0, cost_micros: costMicros = 0 } = state.used.find(({ account }) => account === name) ?? {};
  const held = state.open.filter(({ accounts }) => accounts.includes(name));
  const sum = (amount: (hold: BudgetHold) => number): number => held.reduce((total, hold) => total + amount(hold), 0);
  return {
    ...{ name, tokens, costMicros, runs: sum(({ runs }) => runs) },
    reservedTokens: sum((hold) => hold.tokens),
    reservedCostMicros: sum((hold) => hold.cost_micros),
  };
}

function close(state: BudgetState, hold: BudgetHold, used: BudgetAmount): void {
  state.open = state.open.filter((one) => one !== hold);
  addUse(state, hold.accounts, used);
}
