import { fileURLToPath } from "node:url";
import { adapterContract, expectInapplicable } from "@switchyard/testkit";
import { describe, test } from "vitest";
import { kiro } from "../../src/index.ts";
import { adapterFactory } from "./open-adapter.ts";

// Opening, checking and releasing may each take that long.
const PHASES = 3;
const CASE_MS = 120_000;
const open = adapterFactory(kiro, fileURLToPath(new URL("./kiro-dialect.mjs", import.meta.url)));

/** Cases that do not apply to output for people, which has no events, tokens and session ids. */
const CASES = expectInapplicable(adapterContract, [
  ...["adapter/tools", "adapter/tools-parallel", "adapter/question", "adapter/malformed", "adapter/invalid-utf8"],
  ...["adapter/failure-reported", "adapter/failure-exit-0", "adapter/text-before-failure"],
  ...["adapter/text", "adapter/cancelled-keeps"],
  ...["adapter/turns-share-session", "adapter/resume"],
  ...["adapter/result-exit-nonzero", "adapter/result-crash"],
  ...["adapter/usage", "adapter/usage-over-turns"],
]);

// Most of the time of a case is waiting for processes.
describe.concurrent("the contract of every adapter whose agent prints text for people [adapter-testing-1]", () => {
  for (const one of CASES) {
    test(`${one.title} (${one.id})`, { timeout: PHASES * CASE_MS }, ({ skip }) =>
      one.run(open, { timeoutMs: CASE_MS, onSkip: skip }),
    );
  }
});
