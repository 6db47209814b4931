import { fileURLToPath } from "node:url";
import { adapterContract } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { acme, pulledAcme } from "../acme.ts";
import { adapterFactory } from "./open-adapter.ts";

// Opening, checking and releasing may each take that long.
const PHASES = 3;
const CASE_MS = 120_000;
const DIALECT = fileURLToPath(new URL("./acme-dialect.mjs", import.meta.url));

// Most of the time of a case is waiting for processes.
describe.concurrent("an adapter that calls back [adapter-contract-6]", () => {
  for (const one of adapterContract) {
    test(`${one.title} (${one.id})`, { timeout: PHASES * CASE_MS }, ({ skip }) =>
      one.run(adapterFactory(acme, DIALECT), { timeoutMs: CASE_MS, onSkip: skip }),
    );
  }
});

describe.concurrent("an adapter whose events are pulled [adapter-contract-7]", () => {
  for (const one of adapterContract) {
    test(`${one.title} (${one.id})`, { timeout: PHASES * CASE_MS }, ({ skip }) =>
      one.run(adapterFactory(pulledAcme, DIALECT), { timeoutMs: CASE_MS, onSkip: skip }),
    );
  }
});

test("there are at least fifty cases, each with a unique id", () => {
  const ids = adapterContract.map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(50);
  expect(new Set(ids).size).toBe(ids.length);
});
