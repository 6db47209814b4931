import type { TextOutput } from "@switchyard/terminal";
import { expect, test } from "vitest";
import { summariseTrials } from "../results/eval-results.ts";
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
