import { randomUUID } from "node:crypto";
import {
  type BudgetAmount,
  type BudgetHold,
  type BudgetState,
  type DocumentStore,
  EngineError,
} from "@switchyard/contracts";
import { type StoreTimer, SYSTEM_TIMER } from "../owner/store-timer.ts";
import type { BudgetAccount, BudgetAccountUse, BudgetOutcome, BudgetRefusal, BudgetRequest } from "./budget-account.ts";
import {
  addHold,
  addUse,
  advance,
  emptyState,
  extendHolds,
  holdOf,
  refusalOf,
  renewHolds,
  settleHold,
  useOf,
} from "./change-state.ts";

/** Name of the shared document. */
const DOCUMENT = "budgets";
/** Default time after which the hold of a process that has ended expires, in milliseconds. */
const HOLD_MS = 120_000;
/** Number of times that a process extends its holds within this time. */
const EXTENSIONS_PER_HOLD = 4;
/** Longest pause before a change is tried again because another process was faster, in milliseconds. */
const MAX_PAUSE_MS = 50;

/** Options for `createBudgetLedger`. */
export interface BudgetLedgerOptions {
  /** Wall clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Clock and timers. Default: the system's timers. */
  readonly timer?: StoreTimer | undefined;
  /**
   * Time after which the reservations of a process that has ended expire, in milliseconds. All processes should use the
   * same time. Default: 120,000.
   */
  readonly holdMs?: number | undefined;
}

/** Usage of all accounts. */
export interface BudgetReport {
  /** Day of the usage, such as `2026-11-29`. */
  readonly day: string;
  /** Accounts with usage, reservations or runs, sorted by name. */
  readonly accounts: readonly BudgetAccountUse[];
}

/**
 * Budgets that processes with the same store share. Contract: an amount is reserved in all accounts or in none, and only
 * while usage and reservations of each account are below its limits. So an account exceeds a limit by at most the calls in
 * progress at that time. All methods reject with the errors of the store; nothing is then reserved.
 */
export interface BudgetLedger {
  /** Reserves an amount. The process extends the reservation until it is settled. */
  reserve(accounts: readonly BudgetAccount[], request: BudgetRequest): Promise<BudgetOutcome>;
  /**
   * Replaces a reservation with the usage. Does nothing if the reservation has expired: the reserved amount was then
   * counted as used.
   */
  settle(id: string, used: BudgetAmount): Promise<void>;
  /** Counts usage without a reservation. Resolves with the limit that the usage of the day has then reached, if any. */
  spend(accounts: readonly BudgetAccount[], used: BudgetAmount): Promise<BudgetRefusal | undefined>;
  /** Resolves with the limit that does not allow a further run; `undefined` if a run may start. */
  check(accounts: readonly BudgetAccount[]): Promise<BudgetRefusal | undefined>;
  /** Resolves with the usage of all accounts. */
  report(): Promise<BudgetReport>;
}

/** Clock of a ledger, and the function that keeps the holds of its process. */
interface LedgerClock {
  readonly now: () => number;
  readonly timer: StoreTimer;
  /** Extends the holds of this process in a state before expired holds are ended. */
  renew(state: BudgetState): void;
}

interface Change {
  apply(state: BudgetState): void;
  done(): void;
  fail(error: unknown): void;
}

/** Creates the ledger of the budgets in a store. */
export function createBudgetLedger(documents: DocumentStore, options: BudgetLedgerOptions = {}): BudgetLedger {
  const { now = Date.now, timer = SYSTEM_TIMER, holdMs = HOLD_MS } = options;
  const held = new Map<string, BudgetHold>();
  let isExtending = false;
  const change = createChanges(documents, {
    ...{ now, timer },
    renew: (state) => renewHolds(state, held, { nowMs: now(), expiresAtMs: now() + holdMs }),
  });

  async function extend(): Promise<void> {
    if (isExtending) return;
    isExtending = true;
    while (held.size > 0) {
      await timer.sleep(holdMs / EXTENSIONS_PER_HOLD, { isBackground: true });
      // The next extension is in time, unless the store fails for longer.
      if (held.size > 0) await change((state) => extendHolds(state, held, now() + holdMs)).catch(() => undefined);
    }
    isExtending = false;
  }
  return {
    reserve: async (accounts, request) => {
      const id = randomUUID();
      const createHold = (): BudgetHold => holdOf(accounts, { ...request, id, expiresAtMs: now() + holdMs });
      const refusal = await change((state) => addHold(state, accounts, createHold()));
      if (refusal !== undefined) return refusal;
      held.set(id, createHold());
      void extend();
      return { kind: "reserved", id };
    },
    settle: async (id, used) => {
      // The hold of a run is forgotten first, so that no concurrent change adds it again.
      if (held.get(id)?.runs === 1) held.delete(id);
      await change((state) => settleHold(state, id, used)).finally(() => held.delete(id));
    },
    spend: (accounts, used) => {
      const names = accounts.map(({ name }) => name);
      return change((state) => {
        addUse(state, names, used);
        const refusal = refusalOf(state, accounts, { runs: 0 });
        return refusal?.kind === "used_up" ? refusal : undefined;
      });
    },
    check: (accounts) => change((state) => refusalOf(state, accounts, { runs: 1 })),
    report: () =>
      change((state) => {
        const names = [...state.used.map(({ account }) => account), ...state.open.flatMap(({ accounts }) => accounts)];
        return { day: state.day, accounts: [...new Set(names)].sort().map((name) => useOf(state, name)) };
      }),
  };
}

/**
 * Returns a function that changes the shared state and resolves with the result of the change. Changes that are requested
 * while another one is stored are stored together. A change is applied again if another process was faster.
 */
function createChanges(
  documents: DocumentStore,
  { now, timer, renew }: LedgerClock,
): <T>(apply: (state: BudgetState) => T) => Promise<T> {
  let waiting: Change[] = [];
  let isStoring = false;

  async function store(changes: readonly Change[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const found = await documents.read(DOCUMENT);
      const state = found === undefined ? emptyState(now()) : await parseState(found.text);
      // A process that was suspended must not end its own holds.
      renew(state);
      advance(state, now());
      for (const { apply } of changes) apply(state);
      const text = JSON.stringify(state);
      // A document that no process can read would end all runs with budgets.
      if (text !== found?.text) await parseState(text);
      if (text === found?.text || (await documents.replace(DOCUMENT, text, found?.version)) !== undefined) return;
      await timer.sleep(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** attempt));
    }
  }
  async function storeAll(): Promise<void> {
    if (isStoring) return;
    isStoring = true;
    while (waiting.length > 0) {
      const changes = waiting;
      waiting = [];
      await store(changes).then(
        () => changes.forEach(({ done }) => void done()),
        (error: unknown) => changes.forEach(({ fail }) => void fail(error)),
      );
    }
    isStoring = false;
  }
  return <T>(apply: (state: BudgetState) => T) =>
    new Promise<T>((resolve, reject) => {
      let result: { readonly value: T } | undefined;
      waiting.push({
        apply: (state) => {
          result = { value: apply(state) };
        },
        done: () => {
          if (result !== undefined) resolve(result.value);
        },
        fail: reject,
      });
      void storeAll();
    });
}

/** Parses the shared state. Rejects with `store.malformed`, so that a damaged document does not lift the limits. */
async function parseState(text: string): Promise<BudgetState> {
  const { budgetStateSchema } = await import("@switchyard/contracts/schemas");
  const malformed = (cause?: unknown): EngineError =>
    new EngineError(
      "store.malformed",
      { path: `document ${DOCUMENT}`, problem: "it is not a state of budgets" },
      { cause },
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed(error);
  }
  const parsed = budgetStateSchema.safeParse(value);
  if (!parsed.success) throw malformed(parsed.error);
  return parsed.data;
}
