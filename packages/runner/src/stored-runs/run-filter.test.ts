import { EngineError, type ListedRun, type RunRecord } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { matchesFilter } from "./run-filter.ts";

const RECORD: RunRecord = {
  ...{ format: 1, run_id: "01JD", engine: "agent", title: "Fix the Flaky test", status: "running", attempt: 1 },
  ...{ created_at: "2026-01-01T00:00:00Z", created_by: "test", workspace: "/work" },
};
const RUNNING: ListedRun = { runId: "01JD", location: "/runs/01JD", record: RECORD, lease: { isHeld: true, epoch: 1 } };
const CUT_OFF: ListedRun = { ...RUNNING, lease: { isHeld: false, epoch: 1 } };
const DAMAGED: ListedRun = {
  runId: "01JE",
  location: "/x",
  problem: new EngineError("run.malformed_record", { path: "/x" }),
};

test.each([
  ["no condition", RUNNING, {}],
  ["a status", RUNNING, { status: ["failed", "running"] }],
  ["the status of a run whose process died", CUT_OFF, { status: ["cut_off"] }],
  ["the status of a damaged run", DAMAGED, { status: ["damaged"] }],
  ["words of the task in another case", RUNNING, { search: "flaky" }],
  ["a part of the id", DAMAGED, { search: "1je" }],
  ["the folder", RUNNING, { folders: ["/other", "/work"] }],
])("a filter with %s selects the run", (_name, run, filter) => {
  expect(matchesFilter(run, filter)).toBe(true);
});

test.each([
  ["another status", RUNNING, { status: ["completed"] }],
  ["the stored status of a run whose process died", CUT_OFF, { status: ["running"] }],
  ["words of no task", RUNNING, { search: "tables" }],
  ["another folder", DAMAGED, { folders: ["/work"] }],
])("a filter with %s does not select the run", (_name, run, filter) => {
  expect(matchesFilter(run, filter)).toBe(false);
});
