import { runContract, runtimeContract } from "@switchyard/testkit";
import { describe, test } from "vitest";
import { wrongRuntimes } from "./wrong-runtimes.ts";

const CASE_MS = 10_000;
const TEST_MS = 300_000;

// Concurrent, because most of the time of a case is spent waiting for processes.
describe.concurrent("the runtime contract detects each faulty host", () => {
  test.for(wrongRuntimes)("detects: $fault", { timeout: TEST_MS }, async ({ noticedBy, factory }, { expect }) => {
    const names = noticedBy.map((name) => `runtime/${name}`);
    const cases = runtimeContract.filter(({ id }) => names.includes(id));
    expect(cases.map(({ id }) => id).sort()).toEqual([...names].sort());
    const results = await runContract(cases, factory, { timeoutMs: CASE_MS });
    expect(results.map(({ id, status, problem }) => (status === "failed" ? id : { id, status, problem }))).toEqual(
      cases.map(({ id }) => id),
    );
  });

  test("every case detects a faulty host", ({ expect }) => {
    const noticing = new Set(wrongRuntimes.flatMap(({ noticedBy }) => noticedBy.map((name) => `runtime/${name}`)));
    expect(runtimeContract.map(({ id }) => id).filter((id) => !noticing.has(id))).toEqual([]);
  });
});
