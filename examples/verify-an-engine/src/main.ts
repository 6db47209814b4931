// Verifies an engine that ignores requests to stop, and prints the failed test cases.
import assert from "node:assert/strict";
import { type Engine, SESSION_RESULT } from "@switchyard/contracts";
import { verifyContracts } from "@switchyard/testkit";
import { contracts } from "./contracts.ts";

const whole = await verifyContracts(contracts);
for (const { name, results } of whole) {
  const passed = results.filter(({ status }) => status === "passed").length;
  console.log(`${name}: ${passed} of ${results.length} promises kept, the others do not apply`);
  assert.deepEqual(
    results.filter(({ status }) => status === "failed"),
    [],
  );
}

const stubborn: Engine = {
  execute: async (_run, _host, board) => {
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "done" });
    return board;
  },
};
const [report] = await verifyContracts({ engine: () => stubborn });
const broken = report?.results.filter(({ status }) => status === "failed") ?? [];
for (const { id, problem } of broken) console.log(`${id}: ${problem}`);
assert.ok(broken.some(({ id }) => id === "engine/interrupt-before"));
assert.ok(broken.some(({ id }) => id === "engine/end-once"));
