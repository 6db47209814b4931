import { fileURLToPath } from "node:url";
import { adapterContract } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { kiro } from "../../src/index.ts";
import { adapterFactory } from "./open-adapter.ts";

// Opening, checking and giving back may each take that long.
const PHASES = 3;
const CASE_MS = 30_000;
const open = adapterFactory(kiro, fileURLToPath(new URL("./kiro-dialect.mjs", import.meta.url)));

/** What a text for people cannot show. */
const NO_STRUCTURE: ReadonlySet<string> = new Set([
  // It has no calls of tools, no questions, no reports of a failure; no line of it is malformed.
  ...["adapter/tools", "adapter/tools-parallel", "adapter/question", "adapter/malformed", "adapter/invalid-utf8"],
  ...["adapter/failure-reported", "adapter/failure-exit-0", "adapter/text-before-failure"],
  // The whole text is one answer, which is told when the turn is over.
  ...["adapter/text", "adapter/cancelled-keeps"],
  // It has no ids of sessions and no tokens.
  ...["adapter/turns-share-session", "adapter/resume", "adapter/usage", "adapter/usage-over-turns"],
]);

// Most of the time of a case is waiting for processes.
describe.concurrent("what every adapter keeps whose agent prints text for people [adapter-testing-1]", () => {
  for (const one of adapterContract.filter(({ id }) => !NO_STRUCTURE.has(id))) {
    test(`${one.title} (${one.id})`, { timeout: PHASES * CASE_MS }, ({ skip }) =>
      one.run(open, { timeoutMs: CASE_MS, onSkip: skip }),
    );
  }
});

test("every case that is left out is one that there is", () => {
  const ids = new Set(adapterContract.map(({ id }) => id));
  expect([...NO_STRUCTURE].filter((id) => !ids.has(id))).toEqual([]);
});
