import fc from "fast-check";
import { expect, test } from "vitest";
import { BudgetPauses } from "./budget-pauses.ts";
import type { WorkerAbilities } from "./run-needs.ts";
import { RunScheduler } from "./run-scheduler.ts";

const DAY = "2026-11-28";
const WORKER: WorkerAbilities = { name: "w", engines: [], environments: [], labels: {} };
const OWNERS = ["ada", "bob", "eve"] as const;
const SLOTS = 8;
const RUNS_PER_OWNER = 20;
const PAUSE_MS = 500;
const UNREADABLE_MS = 10_000;

type Owner = (typeof OWNERS)[number];
interface Run {
  readonly runId: string;
  readonly owner: string;
}
type Action =
  | { readonly kind: "answer" | "expire" | "offer again" | "end"; readonly pick: number }
  | { readonly kind: "tick"; readonly ms: number }
  | { readonly kind: "elsewhere"; readonly owner: Owner; readonly runs: number }
  | { readonly kind: "damage" | "repair"; readonly owner: Owner }
  | { readonly kind: "other leader" };

const pick = fc.nat(1_000);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ kind: fc.constant("answer"), pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("expire", "offer again", "end"), pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("tick"), ms: fc.constantFrom(1, 60, 499, 500, 9_999) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("elsewhere"), owner: fc.constantFrom(...OWNERS), runs: fc.nat(3) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("damage", "repair"), owner: fc.constantFrom(...OWNERS) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "other leader" }) },
);
// All owners together need fewer slots than there are.
const limits = fc.record({
  ada: fc.constant(1),
  bob: fc.integer({ min: 1, max: 3 }),
  eve: fc.constant(2),
  server: fc.constantFrom(2, 4, 99),
});

/** A server whose runs share limits of concurrent runs with runs of other processes. */
class Server {
  readonly #limits: Readonly<Record<string, number>>;
  readonly #scheduler = new RunScheduler({ maxQueued: 1e9, maxQueuedPerOwner: 1e9 });
  readonly #pauses: BudgetPauses;
  /** Number of runs of other processes. */
  readonly elsewhere = new Map<string, number>();
  /** Owners whose budgets cannot be read. */
  readonly damaged = new Set<string>();
  /** Times until which owners are paused because their budgets could not be read. */
  readonly #unreadableMs = new Map<string, number>();
  /** True if a run has asked although its owner was paused because the budgets could not be read. */
  hasDisturbed = false;
  asking: Run[] = [];
  active: Run[] = [];
  nowMs = 0;
  /** Number of pauses that can have ended because their time had passed. */
  pauses = 0;
  #pausedMs = 0;
  /** Number of refusals by each account, minus the number of its runs that have started or ended. */
  readonly excess = new Map<string, number>();

  constructor(accounts: Readonly<Record<string, number>>) {
    this.#limits = accounts;
    this.#pauses = new BudgetPauses({ scheduler: this.#scheduler, monotonic: () => this.nowMs });
    for (let count = 0; count < RUNS_PER_OWNER; count += 1) {
      for (const owner of OWNERS) this.#scheduler.push({ runId: `${owner}-${count}`, owner });
    }
  }

  /** Offers runs while there are slots. */
  pump(): void {
    while (this.asking.length + this.active.length < SLOTS && this.#pauses.isOpen) {
      const run = this.#scheduler.next({ worker: WORKER, day: DAY });
      if (run === undefined) return;
      this.asking.push(run);
      this.hasDisturbed ||= this.nowMs < this.#unreadableUntil(run.owner);
      this.#pauses.asks(run.runId, run.owner);
    }
  }

  apply(action: Action): void {
    if (action.kind === "tick") this.tick(action.ms);
    else if (action.kind === "elsewhere") this.elsewhere.set(action.owner, action.runs);
    else if ("owner" in action) this.#setDamaged(action.owner, action.kind === "damage");
    else if (action.kind === "other leader") this.#leadAgain();
    else {
      const runs = action.kind === "end" ? this.active : this.asking;
      const run = runs[action.pick % Math.max(1, runs.length)];
      if (run !== undefined) this.#applyTo(run, action.kind);
    }
    this.pump();
  }

  tick(ms: number): void {
    this.nowMs += ms;
    this.#pauses.check();
    if (this.nowMs - this.#pausedMs < PAUSE_MS) return;
    this.pauses += 1;
    this.#pausedMs = this.nowMs;
  }

  /** Returns whether the limit of an account is reached. */
  isFull(account: string): boolean {
    const { active, elsewhere } = this;
    const isCounted = (owner: string): boolean => account === "server" || account === owner;
    const others = [...elsewhere].reduce((sum, [owner, runs]) => sum + (isCounted(owner) ? runs : 0), 0);
    return active.filter(({ owner }) => isCounted(owner)).length + others >= (this.#limits[account] ?? 0);
  }

  /** Returns whether an owner may still be paused because its budgets could not be read. */
  isUnreadable(owner: string): boolean {
    return this.damaged.has(owner) || this.nowMs < this.#unreadableUntil(owner);
  }

  waiting(owner: string): number {
    return this.#scheduler.usageOf(owner, DAY).waiting;
  }

  #applyTo(run: Run, kind: "answer" | "expire" | "offer again" | "end"): void {
    if (kind === "answer") this.#answer(run);
    else if (kind === "expire") this.#giveBack(run, "unknown");
    else if (kind === "offer again") this.#pauses.asks(run.runId, run.owner);
    else {
      this.active = this.active.filter((one) => one !== run);
      this.#scheduler.ended(run.runId);
      this.#note(-1, run.owner, "server");
      const afterMs = run.runId.endsWith("1") ? 50 : 0;
      this.#unreadableMs.set(run.owner, Math.min(this.#unreadableUntil(run.owner), this.nowMs + afterMs));
      this.#pauses.ended(run.owner, afterMs);
    }
  }

  #answer(run: Run): void {
    if (this.damaged.has(run.owner)) {
      this.#unreadableMs.set(run.owner, this.nowMs + UNREADABLE_MS);
      this.#giveBack(run, "unreadable");
      return;
    }
    if (this.isFull(run.owner) || this.isFull("server")) {
      this.#giveBack(run, this.isFull(run.owner) ? "owner_full" : "server_full");
      return;
    }
    this.asking = this.asking.filter((one) => one !== run);
    this.active.push(run);
    this.#note(-1, run.owner, "server");
    this.#pauses.answered(run.runId, "place");
  }

  #giveBack(run: Run, answer: "owner_full" | "server_full" | "unreadable" | "unknown"): void {
    this.asking = this.asking.filter((one) => one !== run);
    this.#scheduler.giveBack(run, DAY);
    if (answer === "owner_full") this.#unreadableMs.delete(run.owner);
    if (answer === "owner_full" || answer === "server_full")
      this.#note(1, answer === "server_full" ? "server" : run.owner);
    this.#pauses.answered(run.runId, answer);
  }

  #setDamaged(owner: Owner, isDamaged: boolean): void {
    if (isDamaged) this.damaged.add(owner);
    else this.damaged.delete(owner);
  }

  #unreadableUntil(owner: string): number {
    return this.#unreadableMs.get(owner) ?? 0;
  }

  #note(change: number, ...accounts: string[]): void {
    for (const account of accounts) this.excess.set(account, Math.max(0, (this.excess.get(account) ?? 0) + change));
  }

  #leadAgain(): void {
    for (const run of this.asking) this.#scheduler.giveBack(run, DAY);
    this.asking = [];
    this.#pauses.clear();
    // A new leader starts without knowledge.
    this.excess.clear();
    this.pauses = 0;
    this.#unreadableMs.clear();
  }
}

test("whatever happens, full accounts and unreadable budgets refuse few runs, and runs with a place start after one pause", () => {
  fc.assert(
    fc.property(limits, fc.array(action, { minLength: 20, maxLength: 200, size: "max" }), (accounts, actions) => {
      const server = new Server(accounts);
      let isFrequent = false;
      server.pump();
      for (const one of actions) {
        server.apply(one);
        // Before the first refusal, the runs in all slots may ask at the same time.
        const allowed = SLOTS + server.pauses;
        isFrequent ||= [...server.excess.values()].some((count) => count > allowed);
      }
      expect(isFrequent).toBe(false);
      const finish = (pauseMs: number): void => {
        server.tick(pauseMs);
        server.pump();
        while (server.asking.length > 0 && !server.hasDisturbed) server.apply({ kind: "answer", pick: 0 });
        const hasSlot = server.active.length < SLOTS && !server.isFull("server");
        const readable = OWNERS.filter((owner) => !server.isUnreadable(owner));
        for (const owner of hasSlot ? readable : [])
          expect(server.isFull(owner) || server.waiting(owner) === 0).toBe(true);
      };
      finish(PAUSE_MS);
      server.damaged.clear();
      finish(UNREADABLE_MS);
      expect(server.hasDisturbed).toBe(false);
    }),
    { numRuns: 100 },
  );
});
