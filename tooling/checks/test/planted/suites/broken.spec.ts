import { describe, test } from "vitest";

describe("a group", () => {
  test("never runs", () => {});
  JSON.parse("planted");
});
