import { expect, test } from "vitest";
import { renderContractResult, renderContractSummary } from "./render-contract-result.ts";
import { renderStacks } from "./render-stacks.ts";
import { renderUndo } from "./render-undo.ts";

const DIFF = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n";

test("an undo names the reverted files, and what it does not restore", () => {
  const report = {
    workspaceLeftOut: [{ path: "dist/x", reason: "ignored" as const }],
    workspaceReferences: [{ folder: "", name: "index", before: "1", after: "2" }],
  };
  const lines = renderUndo({ diff: DIFF, report, isDone: true, areCommitsRestored: false });
  expect(lines[0]).toBe("Reverted:");
  expect(lines.slice(2)).toEqual([
    "Not restored in git; --commits restores it:",
    "  staged changes",
    "Not restored:",
    "  dist/x (ignored by git)",
  ]);
  expect(renderUndo({ diff: DIFF, report, isDone: true, areCommitsRestored: true })).toContain("Restored in git:");
  expect(renderUndo({ diff: DIFF, report: undefined, isDone: false, areCommitsRestored: false })[0]).toBe(
    "Would be reverted:",
  );
});

test("stacks of an error, its causes and the errors of an aggregate are printed once each", () => {
  const cause = new Error("low");
  const text = renderStacks(new AggregateError([cause, "text"], "top", { cause }));
  expect(text.match(/Error: low/g)).toHaveLength(1);
  expect(text).toMatch(/AggregateError: top[\s\S]*caused by: [\s\S]*caused by: text/);
});

test("a failed conformance case shows its title and problem on one line", () => {
  const failed = { status: "failed", id: "case-1", requirement: ["r-1"], title: "It works.", problem: "a\nb" } as const;
  expect(renderContractResult(failed, { hasColour: false })).toBe(
    `  FAILED  ${"case-1".padEnd(34)} r-1\n          It works.\n          a b\n`,
  );
  expect(renderContractSummary([{ name: "engine", results: [failed] }])).toBe(
    "engine: 1 case, 0 passed, 1 failed, 0 skipped.\n",
  );
});
