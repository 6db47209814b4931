import { expect, test } from "vitest";
import { createRunId } from "../src/index.ts";

test("run ids sort by the time they were made at, need no escaping and differ", () => {
  const ids = [0, 1, 31, 32, 1_700_000_000_000, Date.UTC(2100, 0)].map((time) => createRunId(time));
  expect([...ids].sort()).toEqual(ids);
  expect(ids.every((id) => /^[0-9a-z]{26}$/.test(id))).toBe(true);
  expect(new Set(Array.from({ length: 1_000 }, () => createRunId(0))).size).toBe(1_000);
});
