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

test("a case that is said not to apply passes when it is left out by itself", async () => {
  const cases = expectInapplicable(contract, ["number/even"]);
  expect(await runContract(cases, 3)).toMatchObject([{ status: "passed", title: "Does not apply: It is even" }]);
});

test("a case that is said not to apply fails when it has something to prove", async () => {
  const cases = expectInapplicable(contract, ["number/even"]);
  expect(await runContract(cases, 4)).toMatchObject([{ status: "failed" }]);
});

test("the other cases stay as they are, and an unknown id is refused", () => {
  expect(expectInapplicable(contract, [])).toEqual(contract);
  expect(() => expectInapplicable(contract, ["number/odd"])).toThrow("number/odd");
});
