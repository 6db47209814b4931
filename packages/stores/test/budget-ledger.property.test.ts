import type { DocumentStore } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type BudgetAccount,
  type BudgetLedger,
  type BudgetOutcome,
  createBudgetLedger,
  type StoreTimer,
} from "../src/budget/index.ts";
import { createMemoryStore } from "../src/memory/index.ts";
import { documentsOf } from "./document-subject.ts";

const HOLD_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
const LIMITS = { server: 100, "owner:a": 40, "owner:b": 60 } as const;

/** Timer without extensions: each process that holds a reservation for too long counts as ended. */
const TIMER: StoreTimer = {
  monotonic: () => 0,
  sleep: (_, { isBackground = false } = {}) =>
    new Promise((resolve) => {
      if (!isBackground) setImmediate(resolve);
    }),
};

function accountsOf(owner: "owner:a" | "owner:b"): readonly BudgetAccount[] {
  return [owner, "server" as const].map((name) => ({
    name,
    limits: { tokensPerDay: LIMITS[name], concurrentRuns: 2 },
  }));
}

interface ModelHold {
  readonly owner: string;
  readonly tokens: number;
  readonly runs: number;
  readonly key: number;
  readonly process: number;
  /** Time at which another process first saw the hold since it was extended. `undefined`: none has seen it. */
  seenMs?: number | undefined;
  /** False if the process has ended. */
  isAlive: boolean;
}

/** The budgets as a reader of the contract would count them. */
class Model {
  day = 0;
  readonly used = new Map<string, number>();
  open: ModelHold[] = [];
  /** Holds of active runs that another process has ended. */
  lost: ModelHold[] = [];

  /** A process changes the state. It keeps its own holds, except the hold of the run that it ends. */
  act(process: number | undefined, nowMs: number, ended?: number): void {
    const isOwn = (one: ModelHold): boolean => one.isAlive && one.process === process && one.key !== ended;
    this.open.push(...this.lost.filter(isOwn).map((one) => ({ ...one, seenMs: undefined })));
    this.lost = this.lost.filter((one) => !isOwn(one));
    this.advance(nowMs, isOwn);
    this.lost = this.lost.filter(({ key }) => key !== ended);
  }
  /** A process decides about a request, and so sees the holds of other processes. */
  see(process: number | undefined, nowMs: number): void {
    for (const one of this.open) if (!one.isAlive || one.process !== process) one.seenMs ??= nowMs;
  }
  end(process: number): void {
    for (const one of [...this.open, ...this.lost]) if (one.process === process) one.isAlive = false;
  }
  private advance(nowMs: number, isOwn: (one: ModelHold) => boolean): void {
    const day = Math.floor(nowMs / DAY_MS);
    if (day > this.day) this.used.clear();
    this.day = Math.max(this.day, day);
    for (const one of this.open) {
      if (isOwn(one) || nowMs - (one.seenMs ?? nowMs) <= HOLD_MS) continue;
      if (one.runs > 0) this.lost.push(one);
      this.settle(one.key, one.tokens);
    }
  }
  holds(name: string): readonly { tokens: number; runs: number }[] {
    return this.open.filter(({ owner }) => name === "server" || name === owner);
  }
  spent(name: string): number {
    return this.used.get(name) ?? 0;
  }
  kindFor(owner: "owner:a" | "owner:b", runs: number): BudgetOutcome["kind"] {
    const names = [owner, "server"] as const;
    if (names.some((name) => this.spent(name) >= LIMITS[name])) return "used_up";
    const reserved = (name: string): number => this.holds(name).reduce((sum, { tokens }) => sum + tokens, 0);
    if (runs === 0 && names.some((name) => this.spent(name) + reserved(name) >= LIMITS[name])) return "busy";
    const isFull = (name: string): boolean => this.holds(name).filter((one) => one.runs > 0).length >= 2;
    return runs > 0 && names.some(isFull) ? "too_many_runs" : "reserved";
  }
  settle(key: number, tokens: number): void {
    const found = this.open.find((one) => one.key === key);
    if (found === undefined) return;
    this.open = this.open.filter((one) => one !== found);
    for (const name of [found.owner, "server"]) this.used.set(name, this.spent(name) + tokens);
  }
}

const owner = fc.constantFrom("owner:a" as const, "owner:b" as const);
const steps = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("reserve" as const), process: fc.nat(2), owner, tokens: fc.nat(50) }),
    fc.record({ type: fc.constant("run" as const), process: fc.nat(2), owner, tokens: fc.constant(0) }),
    fc.record({ type: fc.constant("settle" as const), which: fc.nat(9), tokens: fc.nat(60) }),
    fc.record({ type: fc.constant("crash" as const), process: fc.nat(2) }),
    fc.record({ type: fc.constant("wait" as const), ms: fc.constantFrom(1, 600, HOLD_MS + 1, DAY_MS / 2) }),
  ),
  { maxLength: 40 },
);

test("any history of reservations, settlements and ended processes has the outcome of the model", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const documents = documentsOf(createMemoryStore());
      let nowMs = 0;
      const machine = { name: "here", monotonic: () => nowMs };
      const open = (): BudgetLedger =>
        createBudgetLedger(documents, { now: () => nowMs, machine, timer: TIMER, holdMs: HOLD_MS });
      const ledgers = [open(), open(), open()];
      const model = new Model();
      const held: { process: number; id: string; key: number; runs: number }[] = [];
      let keys = 0;
      for (const step of history) {
        if (step.type === "wait") nowMs += step.ms;
        if (step.type === "crash") {
          model.end(step.process);
          ledgers[step.process] = open();
          for (const one of held.filter(({ process }) => process === step.process)) held.splice(held.indexOf(one), 1);
        } else if (step.type === "settle") {
          const [one] = held.splice(step.which % Math.max(1, held.length), 1);
          if (one === undefined) continue;
          model.act(one.process, nowMs, one.runs > 0 ? one.key : undefined);
          await ledgers[one.process]?.settle(one.id, { tokens: step.tokens, costMicros: 0 });
          model.settle(one.key, step.tokens);
        } else if (step.type !== "wait") {
          const runs = step.type === "run" ? 1 : 0;
          const request = { tokens: step.tokens, costMicros: 0, runs } as const;
          model.act(step.process, nowMs);
          model.see(step.process, nowMs);
          const outcome = await ledgers[step.process]?.reserve(accountsOf(step.owner), request);
          expect(outcome?.kind).toBe(model.kindFor(step.owner, runs));
          if (outcome?.kind !== "reserved") continue;
          keys += 1;
          const { process, tokens } = step;
          const common = { process, runs, key: keys };
          model.open.push({ ...common, owner: step.owner, tokens, isAlive: true });
          held.push({ ...common, id: outcome.id });
        }
      }
      model.act(undefined, nowMs);
      const { accounts } = await open().report();
      for (const { name, tokens, reservedTokens } of accounts) {
        expect({ name, tokens }).toEqual({ name, tokens: model.spent(name) });
        expect(reservedTokens).toBe(model.holds(name).reduce((sum, one) => sum + one.tokens, 0));
      }
    }),
    { numRuns: 150 },
  );
});

/** A store in which other processes act between the steps of a call. */
function interleaved(documents: DocumentStore): DocumentStore {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    read: async (name) => {
      await turn();
      return await documents.read(name);
    },
    replace: async (name, text, version) => {
      await turn();
      return await documents.replace(name, text, version);
    },
  };
}

test("concurrent processes count every call, and exceed a limit by less than one call", async () => {
  const calls = fc.array(fc.record({ tokens: fc.integer({ min: 1, max: 30 }), used: fc.nat(30) }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 2, maxLength: 4 }), async (processes) => {
      const documents = documentsOf(createMemoryStore());
      const options = { now: () => 0, timer: TIMER, holdMs: HOLD_MS };
      let total = 0;
      await Promise.all(
        processes.map(async (planned) => {
          const ledger = createBudgetLedger(interleaved(documents), options);
          await Promise.all(
            planned.map(async ({ tokens, used }) => {
              const outcome = await ledger.reserve(accountsOf("owner:a"), { tokens, costMicros: 0, runs: 0 });
              if (outcome.kind !== "reserved") return;
              const actual = Math.min(used, tokens);
              total += actual;
              await ledger.settle(outcome.id, { tokens: actual, costMicros: 0 });
            }),
          );
        }),
      );
      expect(total).toBeLessThan(LIMITS["owner:a"] + 30);
      const { accounts } = await createBudgetLedger(documents, options).report();
      expect(accounts.find(({ name }) => name === "owner:a")?.tokens ?? 0).toBe(total);
    }),
    { numRuns: 30 },
  );
});
