import { expect, test } from "vitest";
import { checkHistory } from "../src/history/check-history.mjs";
import type { FinalState, History, Moment } from "../src/history/history.mjs";
import { conversation, finalState, goodHistory, observed, save, toolEnd } from "./good-history.ts";

type Bad = readonly [promise: string, kind: string, what: string, history: History];

const good = goodHistory();

function finalOf(history: History): FinalState {
  if (history.final === undefined) throw new Error("a good history has an end");
  return history.final;
}

const final = finalOf(good);

/** Returns the correct history with moments inserted after the first moment that matches. */
function insert(after: (moment: Moment) => boolean, ...moments: Moment[]): History {
  const place = good.moments.findIndex(after) + 1;
  return { ...good, moments: [...good.moments.slice(0, place), ...moments, ...good.moments.slice(place)] };
}

/** The good history with some moments replaced. */
function replace(change: (moment: Moment) => Moment): History {
  return { ...good, moments: good.moments.map(change) };
}

function replaceFinal(change: Partial<FinalState>): History {
  return { ...good, final: { ...final, ...change } };
}

function withResult(first: { status: "ok" | "error"; content: string }, tries = 1): History {
  return { ...good, final: finalState(conversation(first, tries), [...final.events]) };
}

const ok = { status: "ok" as const, content: "" };
const unknown = { status: "error" as const, content: "unknown_outcome: nobody knows" };
const takenOver = (moment: Moment) => moment.at === "acquired" && moment.pid === 2;
const stale = { pid: 1, epoch: 1, write: 9 };

const BAD: readonly Bad[] = [
  [
    "D1",
    "run_absent",
    "an accepted run is not listed",
    insert((m) => m.at === "ended", { ...observed(null, []), listed: false }),
  ],
  [
    "D1",
    "run_stuck",
    "a run that was cut off cannot be resumed",
    insert((m) => m.at === "ended", { ...observed("c2", ["e1", "e2"]), isResumable: false }),
  ],
  ["D1", "run_stuck", "a run never comes to an end", { ...good, final: undefined }],
  [
    "D2",
    "checkpoint_lost",
    "the store has an older checkpoint than it acknowledged",
    insert((m) => m.at === "ended", observed("c1", [])),
  ],
  ["D2", "checkpoint_lost", "the store has no checkpoint at all", insert((m) => m.at === "ended", observed(null, []))],
  [
    "D2",
    "checkpoint_lost",
    "an attempt starts afresh",
    replace((m) => (m.at === "resumed" ? { ...m, digest: null } : m)),
  ],
  ["D3", "torn_read", "a checkpoint is read that nobody saved", insert((m) => m.at === "ended", observed("c?", []))],
  [
    "D3",
    "torn_read",
    "reading the store fails",
    insert((m) => m.at === "ended", { ...observed(null, []), problems: ["checkpoint.corrupt"] }),
  ],
  ["D4", "duplicate_effect", "one call takes effect twice", { ...good, ledger: [...good.ledger, ...good.ledger] }],
  [
    "D4",
    "duplicate_effect",
    "the model repeats what is there",
    { ...withResult(unknown, 2), ledger: [...good.ledger, { operation: "op-01", attempt: 2, pid: 3 }] },
  ],
  [
    "D4",
    "double_outcome",
    "a call has two outcomes",
    { ...good, final: finalState([...conversation(ok), ...conversation(ok)], [...final.events]) },
  ],
  [
    "D4",
    "double_outcome",
    "a call ends twice in one attempt",
    replaceFinal({ events: [...final.events, toolEnd(5, "x"), toolEnd(6, "x")] }),
  ],
  [
    "D5",
    "fabricated_outcome",
    "a call that took effect is said to have failed",
    withResult({ status: "error", content: "it failed" }),
  ],
  ["D5", "fabricated_outcome", "a call without effect is said to have gone well", { ...good, ledger: [] }],
  [
    "D5",
    "effect_without_intent",
    "an effect is in no call",
    { ...good, ledger: [...good.ledger, { operation: "op-07", attempt: 1, pid: 3 }] },
  ],
  [
    "D5",
    "unfounded_ambiguity",
    "an outcome is unknown although nothing crashed",
    { ...withResult(unknown), moments: good.moments.filter((m) => m.at !== "ended" && !takenOver(m)) },
  ],
  [
    "D6",
    "epoch_order",
    "an epoch is given out twice",
    replace((m) => (takenOver(m) ? { at: "acquired", pid: 2, epoch: 1, takeOver: false } : m)),
  ],
  ["D6", "stale_write", "an old writer's checkpoint is taken", insert(takenOver, ...save("c9", stale))],
  [
    "D6",
    "stale_write",
    "an old writer's event stands behind a new one's",
    replaceFinal({ events: final.events.map((e) => (e.seq === 4 ? { ...e, attempt: 1 } : e)) }),
  ],
  [
    "D6",
    "wrong_refusal",
    "an old writer is refused for another reason",
    insert(
      takenOver,
      { at: "began", kind: "append", ...stale },
      { at: "refused", kind: "append", code: "run.store_failed", ...stale },
    ),
  ],
  [
    "D6",
    "two_writers",
    "a run is given to a second one while the first works",
    {
      ...insert(takenOver, { at: "began", kind: "append", ...stale }),
      moments: insert(takenOver, { at: "began", kind: "append", ...stale }).moments.filter((m) => m.at !== "ended"),
    },
  ],
  [
    "D7",
    "terminal_records",
    "a run that was over is over again at another time",
    insert((m) => m.at === "ended", { ...observed("c2", ["e1", "e2"]), status: "completed", finishedAt: "earlier" }),
  ],
  [
    "D7",
    "terminal_records",
    "two attempts were told that the end is kept",
    insert(
      (m) => m.at === "seen",
      { at: "began", pid: 1, epoch: 1, write: 8, kind: "finish", status: "completed" },
      { at: "done", pid: 1, epoch: 1, write: 8, kind: "finish" },
    ),
  ],
  [
    "D7",
    "terminal_records",
    "record and report disagree",
    replaceFinal({ record: { ...final.record, status: "running" } }),
  ],
  [
    "D7",
    "terminal_records",
    "an attempt ends twice",
    replaceFinal({ events: [...final.events, ...final.events.slice(-1).map((e) => ({ ...e, seq: 5, id: "e5" }))] }),
  ],
  ["D8", "seq_gap", "a number is missing", replaceFinal({ events: final.events.filter(({ seq }) => seq !== 3) })],
  [
    "D8",
    "event_lost",
    "an event that a client saw is gone",
    insert((m) => m.at === "seen", { at: "seen", pid: 2, seq: 5, id: "e5" }),
  ],
  [
    "D8",
    "event_changed",
    "a number is used for another event",
    replaceFinal({ events: final.events.map((e) => (e.seq === 2 ? { ...e, id: "other" } : e)) }),
  ],
  ["D9", "difference", "a file is not what it would be", replaceFinal({ workspace: { "a.txt": "one one" } })],
  ["D9", "difference", "a file is missing", replaceFinal({ workspace: {} })],
  [
    "D9",
    "difference",
    "the last words differ",
    {
      ...good,
      final: finalState(
        conversation(ok).map((m) => (m.content === "done" ? { ...m, content: "gone" } : m)),
        [...final.events],
      ),
    },
  ],
  [
    "D9",
    "difference",
    "the exit code differs",
    replaceFinal({ report: { ...final.report, result: { exit_code: 1, final_message: "done" } } }),
  ],
  [
    "D14",
    "usage",
    "an answer is charged twice",
    replaceFinal({ report: { ...final.report, usage: { inputTokens: 20, outputTokens: 4, totalTokens: 24 } } }),
  ],
  [
    "D14",
    "usage",
    "an answer is not charged",
    insert((m) => m.at === "answered", { at: "answered", pid: 1, responseId: "b", usage: final.report.usage }),
  ],
];

test("a correct history breaks no guarantee", () => {
  expect(checkHistory(good)).toEqual([]);
});

test("a crash that the agent notices and handles correctly breaks no guarantee [D5, D9]", () => {
  expect(checkHistory(withResult(unknown))).toEqual([]);
  expect(checkHistory({ ...withResult(unknown, 2), ledger: [{ operation: "op-01", attempt: 2, pid: 3 }] })).toEqual([]);
});

test("after a loss of power, events that were not flushed may be gone [D8]", () => {
  const history = insert((m) => m.at === "seen", { at: "seen", pid: 2, seq: 5, id: "e5" });
  expect(checkHistory({ ...history, powerLoss: true })).toEqual([]);
});

test.for(BAD)("%s %s: %s", ([promise, kind, , history]) => {
  const found = checkHistory(history);
  expect(found).toContainEqual({ promise, kind, detail: expect.any(String) });
});

test("every guarantee has a history that breaks it", () => {
  const promises = [...new Set(BAD.map(([promise]) => promise))].sort();
  expect(promises).toEqual(["D1", "D14", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9"]);
});
