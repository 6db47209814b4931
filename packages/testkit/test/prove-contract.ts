import { expect, test } from "vitest";
import { type ContractCase, runContract } from "../src/index.ts";
import type { Wrong } from "./wrong/wrong.ts";

// A wrong implementation may hang. The tests wait no longer than this.
const TIMEOUT_MS = 400;

/** Implementations with which a contract is tested. */
interface Implementations<Factory> {
  /** Implementations that fulfil every promise that applies to them. Each promise applies to one of them. */
  readonly right: readonly Factory[];
  /** Break one promise each. */
  readonly wrong: readonly Wrong<Factory>[];
}

/** Tests a contract itself: correct implementations fulfil it, and each case detects a wrong one. */
export function proveContract<Factory>(
  contract: readonly ContractCase<Factory>[],
  { right, wrong }: Implementations<Factory>,
): void {
  test("correct implementations pass every case, and every case applies to one", async () => {
    const applied = new Set<string>();
    for (const factory of right) {
      for (const { id, status, problem } of await runContract(contract, factory)) {
        expect({ id, problem: status === "failed" ? problem : undefined }).toEqual({ id });
        if (status === "passed") applied.add(id);
      }
    }
    expect(contract.map(({ id }) => id).filter((id) => !applied.has(id))).toEqual([]);
  });

  test.for(wrong)("detects: $fault", async ({ noticedBy, factory }) => {
    const cases = contract.filter(({ id }) => noticedBy.includes(id));
    expect(cases.map(({ id }) => id).sort()).toEqual([...noticedBy].sort());
    const results = await runContract(cases, factory, { timeoutMs: TIMEOUT_MS });
    expect(results.map(({ id, status }) => ({ id, status }))).toEqual(
      cases.map(({ id }) => ({ id, status: "failed" })),
    );
  });

  test("every case detects a faulty implementation and has a unique id", () => {
    const noticing = new Set(wrong.flatMap(({ noticedBy }) => noticedBy));
    expect(contract.map(({ id }) => id).filter((id) => !noticing.has(id))).toEqual([]);
    expect(new Set(contract.map(({ id }) => id)).size).toBe(contract.length);
  });
}
