import { expect, test } from "vitest";
import { type AdapterModes, blockWithMode } from "./permission-modes.ts";

const MODES: AdapterModes = { plan: { mode: "look" }, auto: { trust: true }, replaces: ["mode", "trust", "tools"] };

test("a mode replaces only the permissions of a block", () => {
  const block = { model: "m", tools: ["write"], trust: true };
  expect(blockWithMode({ kind: "acme", modes: MODES }, block, "plan")).toEqual({ model: "m", mode: "look" });
  expect(blockWithMode({ kind: "acme", modes: MODES }, block, "auto")).toEqual({ model: "m", trust: true });
  expect(block).toEqual({ model: "m", tools: ["write"], trust: true });
});

test("a mode that the agent does not support is refused, and so is any mode if it declares none", () => {
  expect(() => blockWithMode({ kind: "acme", modes: MODES }, {}, "ask")).toThrow(
    "acme has no setting with the meaning of ask",
  );
  expect(() => blockWithMode({ kind: "acme" }, {}, "plan")).toThrow("the meaning of plan");
});
