import { expect, test } from "vitest";
import { type AdapterModes, blockWithMode, blockWithoutUser } from "./permission-modes.ts";

const MODES: AdapterModes = { plan: { mode: "look" }, auto: { trust: true }, replaces: ["mode", "trust", "tools"] };

test("a mode replaces only the permissions of a block", () => {
  const block = { model: "m", tools: ["write"], trust: true };
  expect(blockWithMode({ kind: "acme", modes: MODES }, block, "plan")).toEqual({ model: "m", mode: "look" });
  expect(blockWithMode({ kind: "acme", modes: MODES }, block, "auto")).toEqual({ model: "m", trust: true });
  expect(block).toEqual({ model: "m", tools: ["write"], trust: true });
});

test("a mode that the agent does not support is refused, also if the agent declares no modes", () => {
  expect(() => blockWithMode({ kind: "acme", modes: MODES }, {}, "ask")).toThrow(
    "acme has no setting with the meaning of ask",
  );
  expect(() => blockWithMode({ kind: "acme" }, {}, "plan")).toThrow("the meaning of plan");
});

test("without a user, missing permissions are those of the mode auto, and the workspace is trusted", () => {
  const modes = { ...MODES, trusted: { trust_project: true } };
  expect(blockWithoutUser({ kind: "acme", modes }, { model: "m" })).toEqual({
    ...{ model: "m", trust: true, trust_project: true },
  });
  const own = { tools: ["write"], trust_project: false };
  expect(blockWithoutUser({ kind: "acme", modes }, own)).toEqual(own);
  expect(blockWithoutUser({ kind: "acme", modes: { replaces: [] } }, { model: "m" })).toEqual({ model: "m" });
  expect(blockWithoutUser({ kind: "acme" }, { model: "m" })).toEqual({ model: "m" });
});
