import { expect, test } from "vitest";
import { pay } from "./pay.ts";

test("prices are rounded", () => {
  expect(pay(5, 2.4)).toBe(3);
  expect(pay(5, 0.5)).toBe(4.5);
});
