import type { Envelope } from "@switchyard/contracts";
import { scoresOf } from "@switchyard/evaluation";
import { expect, test } from "vitest";
import { engineOf, evaluate } from "./evaluate.ts";

test("a trial has a score for its outcome and for each assertion, and its events can be observed", async () => {
  const yaml = `
name: suite
engines: [e]
cases:
  - { id: good, prompt: x, assert: [{ contains: ok }] }
  - { id: bad, prompt: x, assert: [{ contains: ok }, { contains: missing }] }
  - { id: broken, prompt: x }
`;
  const engine = engineOf(async ({ input }) => (input.case_id === "broken" ? { exit_code: 7 } : "ok"));
  const observed: Envelope[] = [];
  const seen: unknown[] = [];
  const observe = (session: unknown) => {
    seen.push(session);
    return { publish: async (event: Envelope) => void observed.push(event) };
  };
  const { results } = await evaluate(yaml, { e: engine }, { observe });
  expect(seen).toEqual(Array(3).fill(expect.objectContaining({ engine: "e" })));
  expect(observed.filter(({ type }) => type === "run_end")).toHaveLength(3);

  const scores = results.trials.flatMap((trial) => scoresOf(trial, results.name));
  expect(scores.map(({ name, score, label }) => [name, score, label])).toEqual([
    ["outcome", 1, "PASS"],
    ["contains", 1, "PASS"],
    ["outcome", 0, "FAIL"],
    ["contains", 1, "PASS"],
    ["contains", 0, "FAIL"],
    ["outcome", undefined, "ERROR"],
  ]);
  expect(scores[4]).toEqual({
    ...{ runId: results.trials[1]?.run_id, name: "contains", score: 0, label: "FAIL" },
    explanation: expect.any(String),
    attributes: {
      ...{ "switchyard.eval.name": "suite", "switchyard.eval.case": "bad" },
      ...{ "switchyard.eval.engine": "e", "switchyard.eval.iteration": 1 },
    },
  });
  expect(scores[5]).toMatchObject({ errorType: "_OTHER" });
  const [trial] = results.trials;
  expect(trial && scoresOf({ ...trial, outcome: "SKIPPED" }, "suite")).toEqual([]);
});
