import type { Envelope, SessionReport, TranscriptMessage } from "@switchyard/contracts";
import type { FinalState, History, Moment } from "../src/history/history.mjs";

const USAGE = { inputTokens: 10, outputTokens: 2, totalTokens: 12 };

function event(
  seq: number,
  { attempt, type }: { attempt: number; type: "run_start" | "warning" | "run_end" },
): Envelope {
  const base = { id: `e${seq}`, seq, attempt, subject: "engine.run.r", time: "2026-01-01T00:00:00Z", headers: {} };
  if (type === "run_start") return { ...base, type, payload: { resumed: attempt > 1 } };
  if (type === "run_end") return { ...base, type, payload: { outcome: "completed" } };
  return { ...base, type, payload: { message: "a step" } };
}

/** Returns the end event of a tool call. */
export function toolEnd(seq: number, callId: string): Envelope {
  const payload = { type: "tool_result" as const, tool_call_id: callId, content: "" };
  return { ...event(seq, { attempt: 2, type: "warning" }), type: "tool_call_end", payload };
}

/**
 * Returns a conversation in which the first attempt of the effect had this result, and a second one, if any, succeeded.
 */
export function conversation(first: { status: "ok" | "error"; content: string }, tries = 1): TranscriptMessage[] {
  const rounds = Array.from({ length: tries }, (_, index): TranscriptMessage[] => {
    const id = `s01-0.try${index + 1}`;
    const given = JSON.stringify({ command: `effect op-01 ${index + 1}` });
    const result = index === 0 ? first : { status: "ok" as const, content: "[Exit code: 0. Duration: 7ms]" };
    return [
      { role: "assistant", content: "", tool_calls: [{ id, name: "shell", arguments: given }] },
      { role: "tool", content: result.content, tool_result: { call_id: id, ...result, duration_ms: index } },
    ];
  });
  return [{ role: "user", content: "go" }, ...rounds.flat(), { role: "assistant", content: "done" }];
}

/** Returns the final state of a run with this conversation. */
export function finalState(
  transcript: TranscriptMessage[],
  events: Envelope[],
  members: FinalState["members"] = {},
): FinalState {
  const report: SessionReport = {
    runId: "r",
    engine: "agent",
    status: "completed",
    result: { exit_code: 0, final_message: "done", transcript },
    artifacts: [],
    usage: { ...USAGE },
    timing: { startedAt: "a", finishedAt: "b", durationMs: 1 },
  };
  return {
    record: {
      format: 1,
      run_id: "r",
      engine: "agent",
      title: "go",
      status: "completed",
      attempt: 2,
      created_at: "a",
      finished_at: "b",
      created_by: "test",
    },
    report,
    events,
    workspace: { "a.txt": "one" },
    members,
  };
}

/** Returns the moments of a stored checkpoint, from write to acknowledgement. */
export function save(digest: string, { pid, epoch, write }: { pid: number; epoch: number; write: number }): Moment[] {
  return [
    { at: "began", pid, epoch, write, kind: "save", digest },
    { at: "done", pid, epoch, write, kind: "save" },
  ];
}

/** Returns the driver's observation of an interrupted run. */
export function observed(digest: string | null, ids: string[]): Extract<Moment, { at: "observed" }> {
  return { at: "observed", listed: true, status: "running", isResumable: true, digest, problems: [], ids };
}

/** Returns the history of a run that was killed once after its second checkpoint and then succeeded. */
export function goodHistory(): History {
  const ok = { status: "ok" as const, content: "[Exit code: 0. Duration: 5ms]" };
  const events = [
    event(1, { attempt: 1, type: "run_start" }),
    event(2, { attempt: 1, type: "warning" }),
    event(3, { attempt: 2, type: "run_start" }),
    event(4, { attempt: 2, type: "run_end" }),
  ];
  return {
    runId: "r",
    powerLoss: false,
    moments: [
      { at: "acquired", pid: 1, epoch: 1, takeOver: false },
      { at: "accepted", pid: 1, runId: "r" },
      { at: "answered", pid: 1, responseId: "a", usage: { ...USAGE } },
      ...save("c1", { pid: 1, epoch: 1, write: 1 }),
      ...save("c2", { pid: 1, epoch: 1, write: 2 }),
      { at: "seen", pid: 1, seq: 1, id: "e1" },
      { at: "ended", pid: 1, how: "SIGKILL" },
      observed("c2", ["e1", "e2"]),
      { at: "acquired", pid: 2, epoch: 2, takeOver: false },
      { at: "resumed", pid: 2, attempt: 2, digest: "c2" },
      { at: "answered", pid: 2, responseId: "a", usage: { ...USAGE } },
      ...save("c3", { pid: 2, epoch: 2, write: 1 }),
      { at: "seen", pid: 2, seq: 4, id: "e4" },
      { at: "began", pid: 2, epoch: 2, write: 2, kind: "finish", status: "completed" },
      { at: "done", pid: 2, epoch: 2, write: 2, kind: "finish" },
      { at: "ended", pid: 2, how: "exit 0" },
      { ...observed("c3", ["e1", "e2", "e3", "e4"]), status: "completed", finishedAt: "b", isResumable: false },
    ],
    ledger: [{ operation: "op-01", attempt: 1, pid: 11 }],
    final: finalState(conversation(ok), events),
    reference: finalState(conversation({ ...ok, content: "[Exit code: 0. Duration: 99ms]" }), events),
  };
}
