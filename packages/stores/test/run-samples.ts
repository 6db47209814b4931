import type { Checkpoint, EventText, RunRecord, RunRequest, SessionReport } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";

/** The record of a run that was just accepted. */
export function sampleRecord(runId: string, changes: Partial<RunRecord> = {}): RunRecord {
  return {
    format: 1,
    run_id: runId,
    engine: "agent",
    title: "Mend the gate",
    status: "running",
    attempt: 1,
    created_at: "2026-01-01T00:00:00.000Z",
    created_by: "0.0.0",
    ...changes,
  };
}

/** Request of a run. */
export const SAMPLE_REQUEST: RunRequest = {
  format: 1,
  input: { messages: [{ role: "user", content: "Mend the gate" }] },
  settings: { model: "acme/one" },
};

/** The report of an ended run. */
export function sampleReport(runId: string, changes: Partial<SessionReport> = {}): SessionReport {
  const at = "2026-01-01T00:01:00.000Z";
  return {
    runId,
    engine: "agent",
    status: "completed",
    artifacts: [],
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    timing: { startedAt: at, finishedAt: at, durationMs: 1 },
    ...changes,
  };
}

/** Events with these numbers. */
export function sampleEvents(from: number, to: number, text = "x"): EventText[] {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const seq = from + index;
    const envelope = {
      id: `event-${seq}`,
      type: "warning",
      subject: "engine.run.run-1.warning",
      time: "2026-01-01T00:00:00.000Z",
      seq,
      attempt: 1,
      headers: {},
      payload: { message: text },
    };
    return { seq, text: JSON.stringify(envelope) };
  });
}

/** A checkpoint of a board with one variable. */
export function sampleCheckpoint(runId: string, value: unknown, changes: Partial<Checkpoint> = {}): Checkpoint {
  const board = createBoard();
  board.setVar("value", value);
  return { execId: runId, board: board.snapshot(), timestamp: "2026-01-01T00:00:00.000Z", ...changes };
}
