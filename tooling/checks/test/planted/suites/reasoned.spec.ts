import { expect, test } from "vitest";

test("adds", () => {
  expect(1 + 1).toBe(2);
});

test("runs in a container", ({ skip }) => {
  skip(true, "no container engine");
});
