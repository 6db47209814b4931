import type { Envelope, TranscriptMessage } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { conversationsOnBoard } from "../src/driver/conversations-on-board.mjs";
import { checkHistory } from "../src/history/check-history.mjs";
import type { FinalState, History, Moment } from "../src/history/history.mjs";
import { conversation, finalState, goodHistory } from "./good-history.ts";

type Ended = { status: "ok" | "error"; content: string };
type Bad = readonly [promise: string, kind: string, what: string, history: History];

const good = goodHistory();
const ok: Ended = { status: "ok", content: "" };
const unknown: Ended = { status: "error", content: "unknown_outcome: nobody knows" };
const lost: Ended = { status: "error", content: "The background command s01-0.try1 is lost: the run was cut off." };
const built: Ended = { status: "ok", content: "built\n[Exit code: 0. Duration: 31ms]" };

function round(call: { id: string; name: string; arguments: string }, result: Ended): TranscriptMessage[] {
  return [
    { role: "assistant", content: "", tool_calls: [call] },
    { role: "tool", content: result.content, tool_result: { call_id: call.id, ...result } },
  ];
}

/** The agent waits for its subagent, which needed so many answers. */
function waiting(turns: number): TranscriptMessage[] {
  const content = `agent-1 completed after ${turns} turns.\n\ndone`;
  const call = { id: "s01-0.try1", name: "wait", arguments: '{"agent_id":"agent-1"}' };
  return [
    { role: "user", content: "go" },
    ...round(call, { status: "ok", content }),
    { role: "assistant", content: "done" },
  ];
}

/** A subagent that starts a command in the background and asks for its outcome. */
function job(polled: Ended, more: TranscriptMessage[] = []): TranscriptMessage[] {
  const given = JSON.stringify({ command: "effect op-01 1", background: true });
  return [
    { role: "user", content: "go" },
    ...round({ id: "s01-0.try1", name: "shell", arguments: given }, { status: "ok", content: "It runs." }),
    ...round({ id: "s01-0.poll1", name: "shell_output", arguments: '{"id":"s01-0.try1"}' }, polled),
    ...more,
    { role: "assistant", content: "done" },
  ];
}

function asked(seq: number, { id, attempt }: { id: string; attempt: number }): Envelope {
  const { type: _, payload: __, ...base } = events[0] ?? fail();
  const parts = [{ type: "text" as const, text: "Which colour?" }];
  return { ...base, id: `e${seq}`, seq, attempt, type: "user_prompted", payload: { prompt_id: id, parts } };
}

function fail(): never {
  throw new Error("a good history has an end");
}

const events = [...(good.final ?? fail()).events];
const prompted = (...prompts: { id: string; attempt: number }[]): Envelope[] => [
  ...events,
  ...prompts.map((prompt, index) => asked(events.length + 1 + index, prompt)),
];

/** A run with one subagent that had this conversation, compared with one in which all went well. */
function family(
  member: TranscriptMessage[] | undefined,
  { turns = 2, log = events, reference = conversation(ok) } = {},
): History {
  const final: FinalState = finalState(waiting(turns), log, member === undefined ? {} : { "agent-1": member });
  return {
    ...good,
    final,
    reference: finalState(waiting(2), prompted({ id: "q", attempt: 2 }), { "agent-1": reference }),
  };
}

const once = prompted({ id: "q", attempt: 2 });
const whole = family(conversation(ok), { log: once });
const left: Moment = { at: "left", commands: ["sleep 600"] };
const besideLeft = (moment: Moment): Moment => (moment.at === "resumed" ? { ...moment, left: ["sleep 600"] } : moment);
const withoutCrash = good.moments.filter((m) => m.at !== "ended" && !(m.at === "acquired" && m.pid === 2));

const BAD: readonly Bad[] = [
  ["D4", "process_left", "a command outlives its run", { ...whole, moments: [...good.moments, left] }],
  ["D4", "process_left", "a command outlives its attempt", { ...whole, moments: good.moments.map(besideLeft) }],
  [
    "D4",
    "double_outcome",
    "a call of a subagent has two outcomes",
    family([...conversation(ok), ...conversation(ok)], { log: once }),
  ],
  ["D5", "fabricated_outcome", "a call of a subagent has no effect", { ...whole, ledger: [] }],
  [
    "D5",
    "fabricated_outcome",
    "a command in the background is said to have gone well",
    { ...family(job(built), { log: once, reference: job(built) }), ledger: [] },
  ],
  [
    "D5",
    "unfounded_ambiguity",
    "a command in the background is lost although nothing crashed",
    { ...family(job(lost), { log: once, reference: job(built) }), moments: withoutCrash },
  ],
  ["D9", "difference", "a subagent is forgotten", family(undefined, { log: once })],
  [
    "D9",
    "difference",
    "a subagent is there twice",
    { ...whole, final: finalState(waiting(2), once, { "agent-1": conversation(ok), "agent-2": conversation(ok) }) },
  ],
  [
    "D9",
    "difference",
    "a subagent is told something twice",
    family([...conversation(unknown), { role: "user", content: "go" }], { log: once }),
  ],
  [
    "D9",
    "difference",
    "a command in the background came to another end",
    family(job({ status: "ok", content: "[Exit code: 1. Duration: 2ms]" }), { log: once, reference: job(built) }),
  ],
  [
    "D9",
    "question",
    "a question is asked again under another id",
    family(conversation(ok), { log: prompted({ id: "q", attempt: 2 }, { id: "q-2", attempt: 3 }) }),
  ],
  [
    "D9",
    "question",
    "a question is asked twice in one attempt",
    family(conversation(ok), { log: prompted({ id: "q", attempt: 2 }, { id: "q", attempt: 2 }) }),
  ],
  ["D9", "question", "a question is never asked", family(conversation(ok))],
];

test.for(BAD)("%s %s: %s", ([promise, kind, , history]) => {
  expect(checkHistory(history)).toContainEqual({ promise, kind, detail: expect.any(String) });
});

test("subagents that work as in an uninterrupted run break no guarantee", () => {
  expect(checkHistory(whole)).toEqual([]);
});

test("a crash that a subagent notices, so that it needs more responses, breaks no guarantee [D5, D9]", () => {
  expect(checkHistory(family(conversation(unknown), { turns: 4, log: once }))).toEqual([]);
});

test("after a crash, a question may be asked again with the same id [D9]", () => {
  const again = prompted({ id: "q", attempt: 2 }, { id: "q", attempt: 3 });
  expect(checkHistory(family(conversation(ok), { log: again }))).toEqual([]);
  const gone = { ...family(conversation(ok)), powerLoss: true };
  expect(checkHistory(gone)).toEqual([]);
});

test("a lost background command may or may not have had its effect [D5, D9]", () => {
  const check = round(
    { id: "s01-0.check1", name: "count_effects", arguments: "{}" },
    { status: "ok", content: "1 times" },
  );
  const given = JSON.stringify({ command: "effect op-01 2", background: true });
  const again = [
    ...round({ id: "s01-0.try2", name: "shell", arguments: given }, { status: "ok", content: "It runs." }),
    ...round({ id: "s01-0.poll2", name: "shell_output", arguments: '{"id":"s01-0.try2"}' }, built),
  ];
  const reference = job(built);
  expect(checkHistory(family(job(lost, check), { log: once, reference }))).toEqual([]);
  const repeated = family(job(lost, [...check, ...again]), { log: once, reference });
  expect(checkHistory({ ...repeated, ledger: [{ operation: "op-01", attempt: 2, pid: 9 }] })).toEqual([]);
});

test("the conversations of subagents are read from a checkpoint", () => {
  const toolCalls = [{ type: "tool_call", id: "a", name: "wait", arguments: "{}" }];
  const turns = [
    { type: "user", content: "go" },
    { type: "assistant", content: "", toolCalls },
    { type: "tool_results", results: [{ toolCallId: "a", content: "ok", isError: false }] },
    { type: "assistant", content: "done", toolCalls: [] },
  ];
  const vars = { "__subagent_turns.agent-2": [], "__subagent_turns.agent-1": turns, __agent_turns: turns };
  expect(conversationsOnBoard(undefined)).toEqual({});
  expect(conversationsOnBoard({ vars, channels: {} })).toEqual({
    "agent-1": [
      { role: "user", content: "go" },
      { role: "assistant", content: "", tool_calls: [{ id: "a", name: "wait", arguments: "{}" }] },
      { role: "tool", content: "ok", tool_result: { call_id: "a", status: "ok", content: "ok" } },
      { role: "assistant", content: "done" },
    ],
    "agent-2": [],
  });
});
