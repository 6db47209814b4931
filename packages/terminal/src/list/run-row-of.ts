import type { ListedRun } from "@switchyard/contracts";
import type { RunRow } from "./render-run-list.ts";

/**
 * Converts a stored run to a row of `renderRunList`. `status` is the status of the run, with the note ` (cut off)` if its
 * process died; the status of a damaged run is always `damaged`.
 */
export function runRowOf(run: ListedRun, { shortId, status }: Pick<RunRow, "shortId" | "status">): RunRow {
  const id = run.runId;
  if ("problem" in run) return { id, shortId, status: "damaged", engine: "", model: "", task: run.problem.message };
  const { created_at, engine, model = "", title, usage } = run.record;
  const createdMs = Date.parse(created_at);
  return {
    ...{ id, shortId, status, engine, model, task: title },
    createdMs: Number.isNaN(createdMs) ? undefined : createdMs,
    costMicros: usage?.cost_micros,
  };
}
