import type { BudgetAmount, BudgetHold, BudgetState, BudgetUse } from "@switchyard/contracts";
import { isoTime } from "@switchyard/contracts";
import type { BudgetAccount, BudgetAccountUse, BudgetRefusal, BudgetRequest } from "./budget-account.ts";

// All functions change the state that they receive. A ledger stores the changed state only if no other process has
// changed it meanwhile.

/** Length of a day in a time such as `2026-11-29T10:00:00.000Z`. */
const DAY_LENGTH = 10;
/**
 * Number of days whose usage is stored. Clocks of different processes may be on different days. Every change reads the
 * whole document, and a broker limits its size.
 */
const MAX_DAYS = 3;

/** Clocks of the process that changes the state. */
export interface LedgerTime {
  /** Day of the process's wall clock, such as `2026-11-29`. */
  readonly day: string;
  /** Name of the machine. */
  readonly machine: string;
  /** Time of the monotonic clock that all processes of the machine share, in milliseconds. */
  readonly machineMs: number;
}

/**
 * Returns an amount that can be added and stored as JSON. Amounts that are not numbers, not finite or negative count as 0.
 */
export function toAmount(value: number | undefined): number {
  if (value === undefined || !Number.isFinite(value) || value <= 0) return 0;
  return Math.min(value, Number.MAX_SAFE_INTEGER);
}

/** Returns the day of a time in milliseconds since 1970. */
export function dayOf(nowMs: number): string {
  return isoTime(nowMs).slice(0, DAY_LENGTH);
}

/** Returns a state without usage and reservations. */
export function emptyState(): BudgetState {
  return { format: 2, used: [], open: [] };
}

/**
 * Notes which holds of other processes this machine sees for the first time since they were extended. Only a machine's own
 * monotonic clock decides how long it has seen a hold, so that wrong clocks of other machines have no effect.
 */
export function watchHolds(state: BudgetState, held: HeldAmounts, { machine, machineMs }: LedgerTime): void {
  for (const { id, watched } of state.open) {
    if (held.has(id)) continue;
    const note = watched.find((one) => one.machine === machine);
    if (note === undefined) watched.push({ machine, since_ms: machineMs });
    // The monotonic clock of a machine starts again with the machine.
    else note.since_ms = Math.min(note.since_ms, machineMs);
  }
}

/** Holds of this process, and the time after which other holds expire, in milliseconds. */
interface HoldTerms {
  readonly held: HeldAmounts;
  readonly holdMs: number;
}

/**
 * Ends holds of other processes that this machine has seen for longer than `holdMs` although they were not extended,
 * because their process has ended. The provider may have charged their model calls, so the reserved amounts count as used.
 */
export function endStaleHolds(
  state: BudgetState,
  { held, holdMs }: HoldTerms,
  { day, machine, machineMs }: LedgerTime,
): void {
  const isStale = ({ id, watched }: BudgetHold): boolean =>
    !held.has(id) && watched.some((note) => note.machine === machine && machineMs - note.since_ms > holdMs);
  for (const hold of state.open.filter(isStale)) {
    close(state, hold, { day, tokens: hold.tokens, costMicros: hold.cost_micros });
  }
}

/** Adds a hold to accounts. Returns the reason if a limit does not allow this; the state is then unchanged. */
export function addHold(
  state: BudgetState,
  accounts: readonly BudgetAccount[],
  { day, ...hold }: BudgetHold & { readonly day: string },
): BudgetRefusal | undefined {
  const refusal = refusalOf(state, accounts, { day, runs: hold.runs });
  if (refusal === undefined) state.open.push(hold);
  return refusal;
}

/** Returns the hold of a request. */
export function holdOf(
  accounts: readonly BudgetAccount[],
  { id, runs, partOf, ...request }: BudgetRequest & { readonly id: string },
): BudgetHold {
  const [tokens, cost_micros] = [toAmount(request.tokens), toAmount(request.costMicros)];
  const names = accounts.map(({ name }) => name);
  return { id, accounts: names, tokens, cost_micros, runs, watched: [], part_of: partOf };
}

/** Returns the reason why a request is not allowed; `undefined` if it is. */
export function refusalOf(
  state: BudgetState,
  accounts: readonly BudgetAccount[],
  request: Wanted,
): BudgetRefusal | undefined {
  const refusals = accounts.flatMap((account) => refusalsOf(state, account, request));
  return refusals.find(({ kind }) => kind === "used_up") ?? refusals[0];
}

/** Kind of a request, and the day on which its usage counts. */
interface Wanted {
  readonly day: string;
  readonly runs: number;
}

function refusalsOf(
  state: BudgetState,
  { name: account, limits }: BudgetAccount,
  { day, runs }: Wanted,
): BudgetRefusal[] {
  const use = useOf(state, account, day);
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

/** Usage on a day. */
interface DayAmount extends BudgetAmount {
  readonly day: string;
}

/** Ends a hold and counts the usage instead. Does nothing if the hold has expired. */
export function settleHold(state: BudgetState, id: string, used: DayAmount): void {
  const hold = state.open.find((one) => one.id === id);
  if (hold !== undefined) close(state, hold, used);
}

/** Holds of one process by id. */
export type HeldAmounts = ReadonlyMap<string, BudgetHold>;

/**
 * Restores the holds of active runs of this process that another process has ended, for example while this process was
 * suspended. Holds of model calls are not restored, because a hold that another process has ended already counts as
 * used.
 */
export function restoreRuns(state: BudgetState, held: HeldAmounts): void {
  const open = new Set(state.open.map(({ id }) => id));
  for (const hold of held.values()) if (hold.runs > 0 && !open.has(hold.id)) state.open.push({ ...hold, watched: [] });
}

/** Extends the holds of this process. */
export function extendHolds(state: BudgetState, held: HeldAmounts): void {
  for (const hold of state.open) if (held.has(hold.id)) hold.watched = [];
}

/** Counts usage in accounts. If there are too many days, drops those that were changed longest ago. */
export function addUse(state: BudgetState, accounts: readonly string[], used: DayAmount): void {
  const { day } = used;
  const [tokens, costMicros] = [toAmount(used.tokens), toAmount(used.costMicros)];
  if (tokens === 0 && costMicros === 0) return;
  for (const account of accounts) {
    const use = state.used.find((one) => one.account === account && one.day === day);
    state.used = state.used.filter((one) => one !== use);
    // The last change is the last entry. A day's name says nothing, because a clock may be years ahead.
    state.used.push({
      ...{ account, day, tokens: toAmount((use?.tokens ?? 0) + tokens) },
      cost_micros: toAmount((use?.cost_micros ?? 0) + costMicros),
    });
  }
  const days = [...new Set(state.used.map((one) => one.day).reverse())].slice(0, MAX_DAYS);
  state.used = state.used.filter((one) => days.includes(one.day));
}

/** Notes usage that a process has counted for an active run that another process executes. */
export function addCounted(state: BudgetState, runId: string | undefined, used: BudgetAmount): void {
  const run = state.open.find(({ id, runs }) => id === runId && runs > 0);
  if (run === undefined) return;
  const { tokens = 0, cost_micros = 0 } = run.counted ?? {};
  run.counted = {
    tokens: toAmount(tokens + toAmount(used.tokens)),
    cost_micros: toAmount(cost_micros + toAmount(used.costMicros)),
  };
}

/** Returns the usage of an account on a day, and its current reservations. */
export function useOf(state: Pick<BudgetState, "used" | "open">, name: string, day: string): BudgetAccountUse {
  const isMeant = (one: BudgetUse): boolean => one.account === name && one.day === day;
  const { tokens = 0, cost_micros: costMicros = 0 } = state.used.find(isMeant) ?? {};
  const held = state.open.filter(({ accounts }) => accounts.includes(name));
  const sum = (amount: (hold: BudgetHold) => number): number => held.reduce((total, hold) => total + amount(hold), 0);
  return {
    ...{ name, tokens, costMicros, runs: sum(({ runs }) => runs) },
    reservedTokens: sum((hold) => hold.tokens),
    reservedCostMicros: sum((hold) => hold.cost_micros),
  };
}

function close(state: BudgetState, hold: BudgetHold, used: DayAmount): void {
  state.open = state.open.filter((one) => one !== hold);
  addUse(state, hold.accounts, used);
  addCounted(state, hold.part_of, used);
}
