import type { TextOutput } from "@switchyard/terminal";
import { expect, test } from "vitest";
import { summariseTrials } from "../results/eval-results.ts";
import { summarisePreferences } from "../results/preference-results.ts";
import type { AssertionResult } from "../results/trial-result.ts";
import { printEvalEnding } from "./print-eval-ending.ts";

function collect(pieces: string[]): TextOutput {
  return {
    ...{ isTerminal: false, hasColour: false, columns: 80, write: (text) => pieces.push(text) },
    ...{ closed: new AbortController().signal, readerGone: new AbortController().signal },
    flushed: () => Promise.resolve(),
  };
}

test("the summary has the outcome, a table of the engines and the files of the results, in this order", () => {
  const [printed, stderr]: [string[], string[]] = [[], []];
  const times = { started_at: "2026-01-01T00:00:00.000Z", finished_at: "2026-01-01T00:00:05.000Z" };
  const trial = { case_id: "c", engine: "one", iteration: 1, outcome: "PASS", assertions: [] } as const;
  const trials = [{ ...trial, assertions: [], usage: {}, warnings: [], earlier_attempts: [], artifacts: [] }];
  const results = summariseTrials({ name: "e", ...times, warnings: ["odd"], trials, isInterrupted: false });
  printEvalEnding({ stdout: collect(printed), stderr: collect(stderr) }, results, { output: "/out" });
  expect(printed.join("")).toMatch(
    /^\nEverything passed: 1 of 1 run passed.*\n\n.*ENGINE.*\n.*one.*\n\nReport: \/out\/.*\nResults: \/out\/.*\n$/,
  );
  expect(stderr).toEqual(["warning: odd\n"]);
});

/** An assertion that two judges decided. */
function judged(first: "PASS" | "FAIL", second: "PASS" | "FAIL"): AssertionResult {
  const verdicts = [first, second].map((outcome, index) => ({
    ...{ model: index === 0 ? "a/b" : "c/d", outcome, criteria: [], score: outcome === "PASS" ? 1 : 0 },
    ...(index === 0 ? { usage: { input_tokens: 15, cost_usd: 0.015 } } : {}),
  }));
  return { kind: "rubric", expected: "", outcome: first, verdicts };
}

test("the summary shows judges apart from engines, preferences, position bias, and only the files that were written", () => {
  const printed: string[] = [];
  const times = { started_at: "2026-01-01T00:00:00.000Z", finished_at: "2026-01-01T00:00:05.000Z" };
  const trial = { case_id: "c", engine: "one", iteration: 1, outcome: "PASS", run_id: "r" } as const;
  const trials = [
    {
      ...trial,
      assertions: [judged("PASS", "PASS"), judged("FAIL", "PASS")],
      ...{ usage: { input_tokens: 5, cost_usd: 1 }, warnings: [], earlier_attempts: [], artifacts: [] },
      judge_usage: { input_tokens: 1_200, cost_usd: 0.25 },
    },
  ];
  const biased = { model: "a/b", is_position_biased: true, preferred: "tie" as const, orders: [] };
  const comparison = { case_id: "c", iteration: 1, left: "one", right: "two", preferred: "tie" } as const;
  const preferences = summarisePreferences("It is clear.", [{ ...comparison, verdicts: [biased] }]);
  const results = summariseTrials({ name: "e", ...times, warnings: [], trials, preferences, isInterrupted: false });
  const terminal = { stdout: collect(printed), stderr: collect([]) };
  printEvalEnding(terminal, results, { output: "/out", formats: ["junit"] });
  const text = printed.join("");
  expect(text).toMatch(
    /PREFERRED +WINS +TIES +LOSSES +P-VALUE +VERDICT\n *one – two +0 +1 +0 +1\.00 +no preference shown\n/u,
  );
  expect(text).toMatch(/JUDGE +ACCEPTED +REFUSED +BY POSITION +TOKENS +COST\n *a\/b +1 +1 +1 of 1 +30 +\$0\.0300\n/u);
  expect(text).toMatch(
    /\n *c\/d +2 +0\nKrippendorff's alpha: the judges do not agree \(α = 0\.00\), over 2 assertions\n/u,
  );
  expect(text).toMatch(/\$1\.25\n/u);
  expect(text).toMatch(/Judges: 1,200 tokens, cost \$0\.2500\nResults: \/out\/junit\.xml\n$/u);
});
