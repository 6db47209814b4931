import { expect, test } from "vitest";
import { type ContractCase, expectInapplicable, runContract } from "../index.ts";

/** A contract with one case, which applies only to even numbers. */
const contract: readonly ContractCase<number>[] = [
  {
    id: "number/even",
    requirement: "D1",
    title: "It is even",
    run: async (value, { onSkip } = {}) => {
      if (value % 2 !== 0) onSkip?.("it is odd");
    },
  },
];

test("a case declared inapplicable passes if it is skipped", async () => {
  const cases = expectInapplicable(contract, ["number/even"]);
  expect(await runContract(cases, 3)).toMatchObject([{ status: "passed", title: "Does not apply: It is even" }]);
});

test("a case declared inapplicable fails if it applies", async () => {
  const cases = expectInapplicable(contract, ["number/even"]);
  expect(await runContract(cases, 4)).toMatchObject([{ status: "failed" }]);
});

test("other cases are unchanged, and an unknown id is rejected", () => {
  expect(expectInapplicable(contract, [])).toEqual(contract);
  expect(() => expectInapplicable(contract, ["number/odd"])).toThrow("number/odd");
});
