import { expect, test } from "vitest";
import { rounded } from "../../shop/src/discount.ts";

test("prices are rounded", () => {
  expect(rounded(2.4)).toBe(2);
  expect(rounded(0.4)).toBe(0.4);
});
