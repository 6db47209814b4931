import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { type AdapterBench, type AdapterRun, completedOf, needs, WORKS } from "./adapter-bench.ts";
import type { AgentStep } from "./agent-script.ts";

const HANG: AgentStep = { do: "hang" };
/**
 * Short grace periods, in milliseconds. The time limits of a turn are far longer than `MOST_MS`. So if a turn takes
 * less than `MOST_MS`, the adapter ended the process because a grace period expired, not because of a time limit.
 */
const CONFIG = { result_grace_ms: 500, stop_grace_ms: 300 };
/**
 * Maximum duration, in milliseconds, of a turn whose process is ended after the grace period. Allows for a busy
 * machine.
 */
const MOST_MS = 45_000;

/** Asserts that the turn completed soon, with the model's text, and left no process. */
function assertStands(run: AdapterRun): void {
  const { durationMs, result, events } = completedOf(run);
  assert.notEqual(result.finalMessage, "", "The final message is missing.");
  assert.equal(events.at(-1)?.type, "turn_completed");
  assert.ok(durationMs < MOST_MS, `It took ${durationMs} ms.`);
  assert.deepEqual(run.survivors, [], "Processes are left running.");
}

/** Runs a turn that succeeds. After the result of the turn, the simulated agent executes the steps in `after`. */
function runThen(bench: AdapterBench, after: readonly AgentStep[], ignoresTerm = false): Promise<AdapterRun> {
  return bench.run({ turns: [{ steps: WORKS, after, ignoresTerm }], config: CONFIG });
}

/**
 * Conformance cases for an agent process that continues after reporting its result. The reported result must be
 * returned.
 */
export const resultCases: readonly CaseBody<AdapterBench>[] = [
  {
    id: "adapter/result-lingering",
    requirement: ["adapter-outcome-16"],
    title: "Returns the result, and ends a process that does not exit after it when the grace period is over",
    check: async (bench) => assertStands(await runThen(bench, [HANG])),
  },
  {
    id: "adapter/result-stubborn",
    requirement: ["adapter-outcome-16", "adapter-fork-10"],
    title: "Returns the result, and kills a process that ignores SIGTERM after it",
    check: async (bench) => assertStands(await runThen(bench, [HANG], true)),
  },
  {
    id: "adapter/result-children",
    requirement: ["adapter-outcome-16", "adapter-fork-11"],
    title: "Returns the result, and ends processes that were started after it together with the agent",
    async check(bench) {
      assertStands(await runThen(bench, [{ do: "child" }, { do: "child", detached: true }, HANG]));
    },
  },
  {
    id: "adapter/result-noise",
    requirement: ["adapter-outcome-16"],
    title: "Does not extend the grace period because of output after the result",
    async check(bench) {
      const beats = Array.from({ length: 100 }, (): AgentStep[] => [
        { do: "line", text: '{"type":"contract_beat"}' },
        { do: "wait", ms: 200 },
      ]).flat();
      assertStands(await runThen(bench, beats));
    },
  },
  {
    id: "adapter/result-twice",
    requirement: ["adapter-outcome-16"],
    title: "Ends the turn once if a result is reported twice",
    async check(bench) {
      const run = await runThen(bench, [{ do: "end", kind: "success" }, HANG]);
      assertStands(run);
      const ends = run.turns[0]?.events.filter(({ type }) => type === "turn_completed") ?? [];
      assert.equal(ends.length, 1, "More than one terminal event was emitted.");
    },
  },
  {
    id: "adapter/result-exit-nonzero",
    requirement: ["adapter-outcome-17"],
    title: "Returns a reported success although the process then exits with a nonzero code",
    async check(bench) {
      const run = await runThen(bench, [{ do: "exit", code: 3 }]);
      needs(run, "results");
      assertStands(run);
    },
  },
  {
    id: "adapter/result-crash",
    requirement: ["adapter-outcome-17"],
    title: "Returns a reported success although the process then crashes",
    async check(bench) {
      const run = await runThen(bench, [{ do: "exit", signal: "SIGKILL" }]);
      needs(run, "results");
      assertStands(run);
    },
  },
];
