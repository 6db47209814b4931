import { expect, test } from "vitest";
import { type ContractCase, runContract } from "../src/index.ts";
import type { Wrong } from "./wrong/wrong.ts";

// A wrong implementation may hang; nobody waits for it longer than that.
const TIMEOUT_MS = 400;

/** Tests a contract itself: the right implementation keeps it, and each case notices a wrong one. */
export function proveContract<Factory>(
  contract: readonly ContractCase<Factory>[],
  { right, wrong }: { right: Factory; wrong: readonly Wrong<Factory>[] },
): void {
  test("the right implementation keeps every promise, and every promise applies to it", async () => {
    const results = await runContract(contract, right);
    const left = results.filter(({ status }) => status !== "passed");
    expect(left.map(({ id, status, problem }) => ({ id, status, problem }))).toEqual([]);
  });

  test.for(wrong)("is noticed: $fault", async ({ noticedBy, factory }) => {
    expect(noticedBy.filter((id) => !contract.some((one) => one.id === id))).toEqual([]);
    const cases = contract.filter(({ id }) => noticedBy.includes(id));
    const results = await runContract(cases, factory, { timeoutMs: TIMEOUT_MS });
    expect(results.map(({ id, status }) => ({ id, status }))).toEqual(
      cases.map(({ id }) => ({ id, status: "failed" })),
    );
  });

  test("every case notices a wrong implementation", () => {
    const noticing = new Set(wrong.flatMap(({ noticedBy }) => noticedBy));
    expect(contract.map(({ id }) => id).filter((id) => !noticing.has(id))).toEqual([]);
    expect(new Set(contract.map(({ id }) => id)).size).toBe(contract.length);
  });
}
