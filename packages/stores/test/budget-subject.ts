import type { DocumentStore } from "@switchyard/contracts";
import type { BudgetAccount, StoreTimer } from "../src/budget/index.ts";
import { createMemoryStore } from "../src/memory/index.ts";
import { documentsOf } from "./document-subject.ts";

/** Creates an account. */
export function account(limits: BudgetAccount["limits"], name = "server"): BudgetAccount {
  return { name, limits };
}

/** Creates documents in memory. */
export function memoryDocuments(): DocumentStore {
  return documentsOf(createMemoryStore());
}

/** Machine whose monotonic clock the test sets. */
export function testMachine(name = "here") {
  return {
    ...{ name, nowMs: 0 },
    monotonic(): number {
      return this.nowMs;
    },
  };
}

/** Clock whose time the test sets, and whose background sleeps the test ends. */
export function testTimer(): StoreTimer & { nowMs: number; wake(): Promise<void> } {
  let sleeping: (() => void)[] = [];
  return {
    nowMs: 0,
    monotonic: () => 0,
    sleep: (_, { isBackground = false } = {}) =>
      new Promise((resolve) => {
        if (isBackground) sleeping.push(resolve);
        else setImmediate(resolve);
      }),
    async wake() {
      const woken = sleeping;
      sleeping = [];
      for (const resolve of woken) resolve();
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
