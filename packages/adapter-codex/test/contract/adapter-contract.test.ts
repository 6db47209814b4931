import { adapterContract } from "@switchyard/testkit";
import { describe, test } from "vitest";
import { codex } from "../../src/index.ts";
import { adapterFactory } from "./open-adapter.ts";

// Opening, checking and releasing may each take that long.
const PHASES = 3;
const CASE_MS = 120_000;
const open = adapterFactory(codex);

// Most of the time of a case is waiting for processes.
describe.concurrent("the contract of every adapter [adapter-testing-1]", () => {
  for (const one of adapterContract) {
    test(`${one.title} (${one.id})`, { timeout: PHASES * CASE_MS }, ({ skip }) =>
      one.run(open, { timeoutMs: CASE_MS, onSkip: skip }),
    );
  }
});
