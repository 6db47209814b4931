import { expect, test } from "vitest";
import { exitCodeOf } from "./exit-code-of.ts";

const NONE = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
const MISSING_KEY = {
  code: "model.missing_key",
  class: "validation",
  message: "No key.",
  remedy: "",
  retryable: false,
} as const;

test.each([
  { status: "completed", exitCode: 0 },
  { status: "failed", exitCode: 1 },
  { status: "interrupted", exitCode: 130 },
  { status: "cancelled", exitCode: 130 },
  { status: "timed_out", exitCode: 3 },
] as const)("a run that ended as $status has exit code $exitCode", ({ status, exitCode }) => {
  expect(exitCodeOf({ status, error: undefined, usage: NONE, result: undefined })).toBe(exitCode);
});

test.each([
  { work: "no model call and no turn", tokens: 0, turns: 0, exitCode: 2 },
  { work: "no result", tokens: 0, turns: undefined, exitCode: 2 },
  { work: "a turn without reported tokens", tokens: 0, turns: 1, exitCode: 3 },
  { work: "tokens", tokens: 1, turns: undefined, exitCode: 3 },
])("a configuration error after $work is exit code $exitCode: 2 means that nothing was done", (given) => {
  const result = given.turns === undefined ? undefined : { exit_code: 1, final_message: "", turns: given.turns };
  const usage = { ...NONE, totalTokens: given.tokens };
  expect(exitCodeOf({ status: "error", error: MISSING_KEY, usage, result })).toBe(given.exitCode);
});
