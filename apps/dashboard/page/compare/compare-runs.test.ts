import type { RunDetail } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { filesOfDiff } from "../changes/parse-diff.ts";
import { compareFiles, compareRuns } from "./compare-runs.ts";

const RUN: RunDetail = {
  ...{ run_id: "r", engine: "agent", model: "p/m", title: "t", status: "completed", attempt: 1, resumable: false },
  ...{ created_at: "2026-01-01T00:00:00Z", started_at: "2026-01-01T00:00:00Z", finished_at: "2026-01-01T00:00:10Z" },
  result: { exit_code: 0, final_message: "", turns: 4 },
  usage: { input_tokens: 1_000, output_tokens: 50, total_tokens: 1_050, cost_micros: 2_000 },
};

test("only differing facts are marked, numbers with the change in percent", () => {
  const other: RunDetail = {
    ...{ ...RUN, engine: "codex", finished_at: "2026-01-01T00:00:15Z" },
    result: { exit_code: 1, final_message: "", turns: 4 },
    usage: { input_tokens: 1_001, output_tokens: 25, total_tokens: 1_026 },
  };
  const differences = compareRuns(RUN, other, 0).flatMap(({ name, difference }) =>
    difference === undefined ? [] : [[name, difference]],
  );
  expect(differences).toEqual([
    ["Engine", "differs"],
    ["Duration", "+50 %"],
    ["Tokens in", "differs by less than 1 %"],
    ["Tokens out", "−50 %"],
    ["Cost", "differs"],
    ["Exit code", "differs"],
  ]);
  expect(compareRuns(RUN, RUN, 0).filter(({ difference }) => difference !== undefined)).toEqual([]);
});

test("a file is changed equally, differently, or by only one run", () => {
  const diff = (path: string, line: string, id = "1"): string =>
    `diff --git a/${path} b/${path}\nindex ${id}..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+${line}\n`;
  const left = filesOfDiff(diff("a", "1") + diff("b", "1") + diff("c", "1"));
  const right = filesOfDiff(diff("b", "1", "9") + diff("c", "2") + diff("d", "1"));
  expect(compareFiles(left, right)).toEqual([
    { path: "a", verdict: "left" },
    { path: "b", verdict: "same" },
    { path: "c", verdict: "different" },
    { path: "d", verdict: "right" },
  ]);
});
