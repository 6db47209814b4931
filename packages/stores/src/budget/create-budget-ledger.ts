import { randomUUID } from "node:crypto";
import {
  type BudgetAmount,
  type BudgetHold,
  type BudgetState,
  type DocumentStore,
  EngineError,
} from "@switchyard/contracts";
import { isRecord } from "../codec/encode-value.ts";
import { type StoreTimer, SYSTEM_TIMER } from "../owner/store-timer.ts";
import type { BudgetAccount, BudgetAccountUse, BudgetOutcome, BudgetRefusal, BudgetRequest } from "./budget-account.ts";
import {
  addCounted,
  addHold,
  addUse,
  dayOf,
  emptyState,
  endStaleHolds,
  extendHolds,
  holdOf,
  type LedgerTime,
  refusalOf,
  restoreRuns,
  settleHold,
  useOf,
  watchHolds,
} from "./change-state.ts";
import { type BudgetMachine, thisMachine } from "./this-machine.ts";

/** Name of the shared document. */
const DOCUMENT = "budgets";
/** Default time, in milliseconds, after which the hold (the reserved amount) of an ended process expires. */
const HOLD_MS = 120_000;
/**
 * Number of times that a process extends its holds (reserved amounts) within `holdMs`, the time after which they
 * expire.
 */
const EXTENSIONS_PER_HOLD = 4;
/** Longest pause before a change is tried again because another process was faster, in milliseconds. */
const MAX_PAUSE_MS = 50;

/** Options for `createBudgetLedger`. */
export interface BudgetLedgerOptions {
  /** Wall clock, in milliseconds since 1970. It decides only on which day the process counts usage. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /**
   * Name and monotonic clock of the machine on which this process runs. Default: values from the operating system, see
   * `thisMachine`. Tests pass other values to simulate several machines.
   */
  readonly machine?: BudgetMachine | undefined;
  /** Clock and timers. Default: the system's timers. */
  readonly timer?: StoreTimer | undefined;
  /**
   * Time, in milliseconds, after which the reservation of another process expires if that process does not extend it. The
   * time begins when a process of this machine first sees the reservation. All processes should use the same time.
   * Default: 120,000.
   */
  readonly holdMs?: number | undefined;
}

/** Run that counts as active. */
export interface ActiveRun {
  /** Names of the accounts to which the run's usage is charged. */
  readonly accounts: readonly string[];
  /** Usage that processes other than that of the run have counted for the run. */
  readonly counted: BudgetAmount;
}

/** Usage of all accounts. */
export interface BudgetReport {
  /** Day of the usage by the clock of this process, such as `2026-11-29`. */
  readonly day: string;
  /** Accounts with usage, reservations or runs, sorted by name. */
  readonly accounts: readonly BudgetAccountUse[];
}

/**
 * Budgets that processes with the same store share. Contract: an amount is reserved in all accounts or in none, and
 * only while usage and reservations of each account are below its limits. So an account exceeds a limit by at most the
 * usage of the calls that are in progress. All methods reject with the errors of the store; nothing is then reserved.
 */
export interface BudgetLedger {
  /** Reserves an amount. The process extends the reservation until it is settled. */
  reserve(accounts: readonly BudgetAccount[], request: BudgetRequest): Promise<BudgetOutcome>;
  /**
   * Replaces a reservation with the usage. Does nothing if the reservation has expired: the reserved amount was then
   * counted as used.
   */
  settle(id: string, used: BudgetAmount): Promise<void>;
  /**
   * Counts usage without a reservation. Resolves with the limit that the usage of the day has then reached, if any.
   * `partOf` is that of `BudgetRequest`.
   */
  spend(
    accounts: readonly BudgetAccount[],
    used: BudgetAmount,
    partOf?: BudgetRequest["partOf"],
  ): Promise<BudgetRefusal | undefined>;
  /** Resolves with the active run with this id. `undefined`: it is not active. */
  activeRun(id: string): Promise<ActiveRun | undefined>;
  /** Resolves with the limit that does not allow a further run; `undefined` if a run may start. */
  check(accounts: readonly BudgetAccount[]): Promise<BudgetRefusal | undefined>;
  /** Resolves with the usage of all accounts. */
  report(): Promise<BudgetReport>;
}

/** Dependencies of `createChanges`. */
interface LedgerClock {
  readonly timer: StoreTimer;
  /**
   * Called with the state that was read from the store, before changes are applied to it. Restores the holds (reserved
   * amounts) of active runs of this process that another process has ended. Ends expired holds of other processes.
   */
  prepare(state: BudgetState): void;
}

interface Change {
  apply(state: BudgetState): void;
  done(): void;
  fail(error: unknown): void;
}

/** Steps of `createExtension`. */
interface ExtensionSteps {
  /** Waits until the next extension is due. */
  sleep(): Promise<void>;
  /** Extends the holds in the store. */
  change(): Promise<void>;
}

/** Returns a function that extends the holds (reserved amounts) of this process as long as there are any. */
function createExtension(held: ReadonlyMap<string, BudgetHold>, steps: ExtensionSteps): () => Promise<void> {
  let isExtending = false;
  return async () => {
    if (isExtending) return;
    isExtending = true;
    while (held.size > 0) {
      await steps.sleep();
      // A failure is ignored, because the next extension is made before the holds expire, unless the store fails for
      // longer. If no other process has recorded that it saw these holds, the document stays the same and is not
      // written.
      if (held.size > 0) await steps.change().catch(() => undefined);
    }
    isExtending = false;
  };
}

/** Creates the ledger of the budgets in a store. */
export function createBudgetLedger(documents: DocumentStore, options: BudgetLedgerOptions = {}): BudgetLedger {
  const { now = Date.now, machine = thisMachine(), timer = SYSTEM_TIMER, holdMs = HOLD_MS } = options;
  const held = new Map<string, BudgetHold>();
  const day = (): string => dayOf(now());
  const time = (): LedgerTime => ({ day: day(), machine: machine.name, machineMs: machine.monotonic() });
  const change = createChanges(documents, {
    timer,
    prepare: (state) => {
      restoreRuns(state, held);
      endStaleHolds(state, { held, holdMs }, time());
    },
  });
  /**
   * Reads the state to make a decision or a report. Before that, notes when this machine first saw the reservations of
   * other processes, so that they can expire.
   */
  const observe = <T>(read: (state: BudgetState) => T): Promise<T> =>
    change((state) => {
      watchHolds(state, held, time());
      return read(state);
    });
  const extend = createExtension(held, {
    sleep: () => timer.sleep(holdMs / EXTENSIONS_PER_HOLD, { isBackground: true }),
    change: () => change((state) => extendHolds(state, held)),
  });
  return {
    reserve: async (accounts, request) => {
      const id = randomUUID();
      const createHold = (): BudgetHold => holdOf(accounts, { ...request, id });
      const refusal = await observe((state) => addHold(state, accounts, { ...createHold(), day: day() }));
      if (refusal !== undefined) return refusal;
      held.set(id, createHold());
      void extend();
      return { kind: "reserved", id };
    },
    settle: async (id, used) => {
      // The hold of a run is forgotten first, so that no concurrent change adds it again.
      if (held.get(id)?.runs === 1) held.delete(id);
      await change((state) => settleHold(state, id, { ...used, day: day() })).finally(() => held.delete(id));
    },
    spend: (accounts, used, partOf) => {
      const names = accounts.map(({ name }) => name);
      return change((state) => {
        addUse(state, names, { ...used, day: day() });
        addCounted(state, partOf, used);
        const refusal = refusalOf(state, accounts, { day: day(), runs: 0 });
        return refusal?.kind === "used_up" ? refusal : undefined;
      });
    },
    activeRun: (id) => observe((state) => activeRunOf(state, id)),
    check: (accounts) => observe((state) => refusalOf(state, accounts, { day: day(), runs: 1 })),
    report: () => observe((state) => reportOf(state, day())),
  };
}

function activeRunOf({ open }: BudgetState, id: string): ActiveRun | undefined {
  const run = open.find((hold) => hold.id === id && hold.runs > 0);
  if (run === undefined) return undefined;
  const { tokens = 0, cost_micros: costMicros = 0 } = run.counted ?? {};
  return { accounts: run.accounts, counted: { tokens, costMicros } };
}

function reportOf(state: BudgetState, day: string): BudgetReport {
  const today = state.used.filter((one) => one.day === day);
  const names = [...today.map(({ account }) => account), ...state.open.flatMap(({ accounts }) => accounts)];
  return { day, accounts: [...new Set(names)].sort().map((name) => useOf(state, name, day)) };
}

/**
 * Returns a function that changes the shared state and resolves with the result of the change. Changes that are requested
 * while another one is stored are stored together. A change is applied again if another process was faster.
 */
function createChanges(
  documents: DocumentStore,
  { timer, prepare }: LedgerClock,
): <T>(apply: (state: BudgetState) => T) => Promise<T> {
  let waiting: Change[] = [];
  let isStoring = false;

  async function store(changes: readonly Change[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const found = await documents.read(DOCUMENT);
      const state = found === undefined ? emptyState() : await parseState(found.text);
      prepare(state);
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

/** Converts a state in the earlier format, which contained the usage of one day only, and no field `watched`. */
function upgraded(value: unknown): unknown {
  if (!isRecord(value) || value["format"] !== 1) return value;
  const { day, used, open } = value;
  const complete = (list: unknown, added: object): unknown =>
    Array.isArray(list) ? list.map((one: unknown) => (isRecord(one) ? { ...added, ...one } : one)) : list;
  return { format: 2, used: complete(used, { day }), open: complete(open, { watched: [] }) };
}

/**
 * Parses the shared state. Rejects with `store.malformed` or, if a newer release has stored it, `store.newer_format`, so
 * that a document that cannot be read is not replaced and does not lift the limits.
 */
async function parseState(text: string): Promise<BudgetState> {
  const { budgetStateSchema } = await import("@switchyard/contracts/schemas");
  const malformed = (cause?: unknown): EngineError =>
    new EngineError(
      "store.malformed",
      { path: `document ${DOCUMENT}`, problem: "it is not a valid budget state" },
      { cause },
    );
  let value: unknown;
  try {
    value = upgraded(JSON.parse(text));
  } catch (error) {
    throw malformed(error);
  }
  const format = isRecord(value) ? value["format"] : undefined;
  if (typeof format === "number" && format > emptyState().format)
    throw new EngineError("store.newer_format", { path: "The usage of shared budgets", format });
  const parsed = budgetStateSchema.safeParse(value);
  if (!parsed.success) throw malformed(parsed.error);
  return parsed.data;
}
