import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { type AdapterBench, type AdapterRun, completedOf, needs, WORKS } from "./adapter-bench.ts";
import type { AgentStep } from "./agent-script.ts";

const HANG: AgentStep = { do: "hang" };
/** Grace periods far below the time limits of a turn, so that only a grace period can end the process. */
const CONFIG = { result_grace_ms: 500, stop_grace_ms: 300 };
/**
 * Maximum duration, in milliseconds, of a turn whose process is ended after the grace period. Allows for a busy
 * machine.
 */
const MOST_MS = 12_000;

/** Asserts that the turn completed soon, with the model's text, and left no process. */
function assertStands(run: AdapterRun): void {
  const { tookMs, result, events } = completedOf(run);
  assert.notEqual(result.finalMessage, "", "The final message is lost.");
  assert.equal(events.at(-1)?.type, "turn_completed");
  assert.ok(tookMs < MOST_MS, `It took ${tookMs} ms.`);
  assert.deepEqual(run.survivors, [], "Processes are left.");
}

/** Runs a successful turn, after which the agent's process executes further steps. */
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
    title: "A process that does not exit after its result is ended after its grace period, and the result stands",
    check: async (bench) => assertStands(await runThen(bench, [HANG])),
  },
  {
    id: "adapter/result-stubborn",
    requirement: ["adapter-outcome-16", "adapter-fork-10"],
    title: "A process that ignores SIGTERM after its result is killed, and the result stands",
    check: async (bench) => assertStands(await runThen(bench, [HANG], true)),
  },
  {
    id: "adapter/result-children",
    requirement: ["adapter-outcome-16", "adapter-fork-11"],
    title: "Processes that were started after the result are ended with the agent, and the result stands",
    async check(bench) {
      assertStands(await runThen(bench, [{ do: "child" }, { do: "child", detached: true }, HANG]));
    },
  },
  {
    id: "adapter/result-noise",
    requirement: ["adapter-outcome-16"],
    title: "Output after the result does not extend the grace period",
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
    title: "A result that is reported twice ends the turn once",
    async check(bench) {
      const run = await runThen(bench, [{ do: "end", kind: "success" }, HANG]);
      assertStands(run);
      const ends = run.turns[0]?.events.filter(({ type }) => type === "turn_completed") ?? [];
      assert.equal(ends.length, 1, "The end is told twice.");
    },
  },
  {
    id: "adapter/result-exit-nonzero",
    requirement: ["adapter-outcome-17"],
    title: "A reported success stands although the process exits with another code than 0 after it",
    async check(bench) {
      const run = await runThen(bench, [{ do: "exit", code: 3 }]);
      needs(run, "results");
      assertStands(run);
    },
  },
  {
    id: "adapter/result-crash",
    requirement: ["adapter-outcome-17"],
    title: "A reported success stands although the process crashes after it",
    async check(bench) {
      const run = await runThen(bench, [{ do: "exit", signal: "SIGKILL" }]);
      needs(run, "results");
      assertStands(run);
    },
  },
];
