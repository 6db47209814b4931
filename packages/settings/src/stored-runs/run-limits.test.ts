import type { RunRequest } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { limitsOfResume, limitsOfRun } from "./run-limits.ts";

const REQUEST: RunRequest = { format: 1, input: { messages: [] } };

test("limits that are not set are left out", () => {
  expect(limitsOfRun({})).toEqual({});
  expect(limitsOfRun({ maxDelayMs: 5 })).toEqual({});
  expect(limitsOfRun({ totalTokens: 0 })).toEqual({ budget: { totalTokens: 0 } });
});

test("attempts that the user limits take precedence over those of the engine configuration", () => {
  const configured = { maxAttempts: 3 };
  expect(limitsOfRun({ maxDelayMs: 5 }, configured)).toEqual({ retry: { maxAttempts: 3, maxDelayMs: 5 } });
  expect(limitsOfRun({ maxAttempts: 2, costMicros: 7 }, configured)).toEqual({
    ...{ retry: { maxAttempts: 2 }, budget: { costMicros: 7 } },
  });
});

test("a limit given for a resume replaces the stored one, and other stored limits still apply", () => {
  const request = { ...REQUEST, settings: { budget: { totalTokens: 1, costMicros: 2 } } };
  expect(limitsOfResume({ totalTokens: 9 }, request)).toEqual({ budget: { totalTokens: 9, costMicros: 2 } });
  expect(limitsOfResume({ maxAttempts: 2 }, request)).toEqual({ retry: { maxAttempts: 2 } });
  expect(limitsOfResume({ costMicros: 3 }, REQUEST)).toEqual({ budget: { costMicros: 3 } });
});
