import { EngineError, type RunRecord, type SessionReport, type StoredRun } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { renderStoredRun } from "./render-stored-run.ts";

const RECORD: RunRecord = {
  ...{ format: 1, run_id: "01JD", engine: "agent", model: "openai/m", title: "Fix\u001b[2J it", status: "completed" },
  ...{ workspace: "/work", environment: "local", attempt: 1, created_by: "test" },
  created_at: "2026-01-01T00:00:00Z",
};

const USAGE: SessionReport["usage"] = {
  ...{
    inputTokens: 1_234,
    outputTokens: 5,
    totalTokens: 1_239,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  },
  ...{ llmCalls: 1, toolCalls: 0, costMicros: 10_000 },
};

const REPORT: SessionReport = {
  ...{ runId: "01JD", engine: "agent", status: "completed", artifacts: [], usage: USAGE },
  result: { exit_code: 0, final_message: "Done." },
  timing: { startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:00:02Z", durationMs: 2_000 },
  workspaceDiff: "diff --git a/one.txt b/one.txt\n--- a/one.txt\n+++ b/one.txt\n@@ -1 +1 @@\n-old\n+new\n",
};

function runOf(record: Partial<RunRecord>, report?: SessionReport): StoredRun {
  return { runId: "01JD", folder: "/state/runs/01JD", record: { ...RECORD, ...record }, report, problems: [] };
}

test("a finished run is shown with its task, cost, changes and final message", () => {
  const lines = renderStoredRun(runOf({}, REPORT), { status: "completed" });
  expect(lines).toContain("Status:     completed");
  expect(lines).toContain("Tokens:     1,234 in, 5 out");
  expect(lines).toContain("Run folder: /state/runs/01JD");
  expect(lines.slice(lines.indexOf("Changes:"))).toEqual(["Changes:", expect.stringContaining("one.txt"), "", "Done."]);
  expect(lines.filter((line) => /^(Place|Attempts|Undone|Resume|Error):/.test(line))).toEqual([]);
});

test("control characters of the task are made visible", () => {
  const task = renderStoredRun(runOf({}), {}).find((line) => line.startsWith("Task:"));
  expect(task).not.toContain("\u001b");
  expect(task).toContain("[2J it");
});

describe("the command that resumes a run", () => {
  const facts = { resumeCommand: "switchyard resume 01JD" };

  test("is shown", () => {
    expect(renderStoredRun(runOf({ status: "interrupted" }), facts)).toContain("Resume:     switchyard resume 01JD");
  });

  test("is not shown if the report says why the run cannot be resumed", () => {
    const resumeError = new EngineError("run.not_resumable", { runId: "01JD", problem: "it is a demo" }).toWire();
    const lines = renderStoredRun(runOf({ status: "failed" }, { ...REPORT, resumeError }), facts);
    expect(lines.filter((line) => line.startsWith("Resume:"))).toEqual([]);
  });
});

test("while an attempt is active, the report of an earlier attempt is not shown", () => {
  const lines = renderStoredRun(runOf({ status: "running", attempt: 2 }, REPORT), { status: "running" });
  expect(lines).toContain("Attempts:   2");
  expect(lines.filter((line) => /^(Tokens|Cost|Took|Changes):/.test(line))).toEqual([]);
});

test("damage is shown after the facts", () => {
  const problem = new EngineError("run.malformed_record", {
    path: "/state/runs/01JD/run.json",
    problem: "it is damaged",
  });
  const lines = renderStoredRun({ runId: "01JD", folder: "/state/runs/01JD", problems: [problem] }, {});
  expect(lines.at(-1)).toMatch(/^Problem: .*run\.json/u);
});
