import { EngineError, type RunRecord, type RunRequest, type StoredRun } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { assertResumable } from "./assert-resumable.ts";
import { type RunSettings, toSettings } from "./run-settings.ts";

const RECORD: RunRecord = {
  ...{ format: 1, run_id: "01JD", engine: "agent", title: "Fix it", status: "interrupted", attempt: 1 },
  ...{ created_at: "2026-01-01T00:00:00Z", created_by: "test" },
};

function runOf(settings: RunSettings, record: Partial<RunRecord> = {}): StoredRun {
  const request: RunRequest = { format: 1, input: { messages: [] }, settings: toSettings(settings) };
  return { runId: "01JD", folder: "/runs/01JD", record: { ...RECORD, ...record }, request, problems: [] };
}

test("an interrupted run can be resumed", () => {
  const run = runOf({});
  expect(assertResumable(run)).toEqual({ record: run.record, request: run.request });
});

test.each([
  ["a finished run", runOf({}, { status: "completed" }), "run.finished"],
  ["a demo", runOf({ isDemo: true }), "run.not_resumable"],
  ["a run whose files were in memory", runOf({ environment: { env: "memory" } }), "run.not_resumable"],
  ["a run without a request", { ...runOf({}), request: undefined }, "run.not_resumable"],
])("%s cannot be resumed", (_name, run, code) => {
  expect(() => assertResumable(run)).toThrow(expect.objectContaining({ code }));
});

test("a damaged run is refused with its damage", () => {
  const problem = new EngineError("run.malformed_record", { path: "/runs/01JD/run.json", problem: "it is damaged" });
  expect(() => assertResumable({ ...runOf({}), record: undefined, problems: [problem] })).toThrow(problem);
});
