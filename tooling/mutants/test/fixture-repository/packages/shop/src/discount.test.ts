import { expect, test } from "vitest";
import { discounted, halvings } from "./discount.ts";

test("the discount starts at 100", () => {
  expect(discounted(100)).toBe(90);
  expect(discounted(99)).toBe(99);
});

test("halvings are counted", () => {
  expect(halvings(8)).toBeGreaterThan(0);
});
