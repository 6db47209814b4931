import { runtimeContract } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openRuntime } from "./open-runtime.ts";

// A case has three phases, each with the same time limit: opening, checking and releasing.
const PHASES = 3;
const CASE_MS = 120_000;

// Concurrent, because most of the time of a case is spent waiting for processes.
describe.concurrent("packaged runtimes fulfil their contract [runtime-runtime-path-2, runtime-runtime-path-3]", () => {
  for (const one of runtimeContract) {
    test(`${one.title} (${one.id})`, { timeout: PHASES * CASE_MS }, ({ skip }) =>
      one.run(openRuntime, { onSkip: skip, timeoutMs: CASE_MS }),
    );
  }
});

test("there are more than forty cases, with unique ids", () => {
  const ids = runtimeContract.map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(40);
  expect(new Set(ids).size).toBe(ids.length);
});
