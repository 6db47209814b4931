import type { Envelope, EventPayloads, EventType } from "@switchyard/contracts";
import { expect, test } from "vitest";
import type { Entry } from "./entry.ts";
import { Timeline } from "./timeline.ts";

let seq = 0;

/** Creates an event of an agent, one second after the previous event. */
function event<T extends EventType>(type: T, payload: EventPayloads[T], agentId = "main"): Envelope {
  seq += 1;
  const time = new Date(Date.UTC(2026, 0, 1) + seq * 1_000).toISOString();
  const envelope: unknown = {
    id: `e${seq}`,
    type,
    subject: "",
    time,
    seq,
    attempt: 1,
    headers: { agent_id: agentId },
    payload,
  };
  if (!isEnvelope(envelope)) throw new Error("It is no event.");
  return envelope;
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === "object" && value !== null && "payload" in value;
}

function timelineOf(...events: readonly Envelope[]): Timeline {
  const timeline = new Timeline();
  for (const one of events) timeline.take(one);
  return timeline;
}

/** Converts a timeline to plain data for comparison. */
function outline(entries: readonly Entry[]): unknown[] {
  return entries.map(summarise);
}

function summarise(entry: Entry): unknown {
  switch (entry.kind) {
    case "message":
      return `${entry.speaker}${entry.isOpen ? "…" : ""}: ${entry.content}`;
    case "tool":
      return `${entry.name}${entry.isError ? " failed" : ""}: ${entry.output}`;
    case "question":
      return `? ${entry.text} ${entry.answer ?? ""}`;
    case "notice":
      return `${entry.level}: ${entry.message}`;
    case "turn":
      return [`turn ${entry.number}`, ...outline(entry.entries)];
    case "subagent":
      return [`${entry.agentId} ${entry.status}`, ...outline(entry.lane.entries)];
  }
}

const step = (name: string, agentId?: string): Envelope => event("step_start", { step: name }, agentId);

test("turns contain messages and calls, and the final text replaces its increments", () => {
  const timeline = timelineOf(
    event("run_start", { resumed: false }),
    event("user_input", { content: "Fix it." }),
    step("main.iter1"),
    event("assistant_text_start", {}),
    event("assistant_text_delta", { type: "token", content: "I lo" }),
    event("assistant_text_end", { content: "I look." }),
    event("tool_call_start", { type: "tool_call", id: "c", name: "shell", arguments: '{"command":"ls"}' }),
    event("tool_call_output_delta", { tool_call_id: "c", content: "a" }),
    event("tool_call_end", { type: "tool_result", tool_call_id: "c", content: "a\nb", is_error: true }),
    event("step_complete", { step: "main.iter1" }),
    step("main.iter2"),
    event("assistant_text_start", {}),
    event("assistant_text_end", { content: "" }),
    event("assistant_text_start", {}),
    event("assistant_text_delta", { type: "token", content: "Do" }),
  );
  expect(timeline.status).toBe("running");
  expect(outline(timeline.lane.entries)).toEqual([
    "user: Fix it.",
    ["turn 1", "agent: I look.", "shell failed: a\nb"],
    ["turn 2", "agent…: Do"],
  ]);
});

test("a subagent has its own turns, and its parents change with it", () => {
  const timeline = timelineOf(
    step("main.iter1"),
    event("subagent_started", { agent_id: "main-1", content: "look", status: "running" }),
  );
  const [turn] = timeline.lane.entries;
  const before = turn?.version ?? 0;
  for (const one of [
    step("main-1.iter1", "main-1"),
    event("assistant_text_end", { content: "Found." }, "main-1"),
    event("usage_reported", { response_id: "r", usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } }, "main-1"),
    event("usage_reported", { response_id: "r", usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } }, "main-1"),
    event("subagent_ended", { agent_id: "main-1", content: "Found.", status: "completed" }),
  ]) {
    timeline.take(one);
  }
  expect(outline(timeline.lane.entries)).toEqual([["turn 1", ["main-1 completed", ["turn 1", "agent: Found."]]]]);
  expect(turn?.version).toBeGreaterThan(before);
  expect(timeline.usages).toHaveLength(1);
});

test("each decision about a network request and each refused model request is one line", () => {
  const decision = { kind: "tunnel", host: "a.example", port: 443 } as const;
  const timeline = timelineOf(
    event("network_request_decided", { ...decision, verdict: "allowed", reason: "allowed", message: "Connected." }),
    event("network_request_decided", {
      ...decision,
      verdict: "refused",
      reason: "host_not_listed",
      message: "Refused.",
    }),
    event("network_request_decided", {
      ...decision,
      verdict: "failed",
      reason: "name_not_found",
      message: "Not found.",
    }),
    event("model_request_refused", {
      ...{ request: 3, code: "gateway.token_unknown", message: "The token is wrong.", is_foreign_token: false },
    }),
  );
  expect(outline(timeline.lane.entries)).toEqual([
    "info: Connected.",
    "warning: Refused.",
    "warning: Not found.",
    "warning: The model gateway refused request 3: The token is wrong.",
  ]);
});

test("steering waits until it is received, and a question until it is answered", () => {
  const timeline = timelineOf(
    event("control_received", { control_id: "1", kind: "steer", content: "use tabs" }),
    event("user_prompted", {
      prompt_id: "p",
      parts: [{ type: "text", text: "Sure?" }],
      schema: { enum: ["yes", "no"] },
    }),
  );
  expect(timeline.openQuestions).toMatchObject([{ promptId: "p", choices: ["yes", "no"] }]);
  expect(outline(timeline.lane.entries)).toEqual(["steering…: use tabs", "? Sure? "]);
  timeline.take(event("steering_injected", { content: "use tabs" }));
  timeline.take(event("user_replied", { prompt_id: "p", parts: [{ type: "text", text: "yes" }] }));
  expect(timeline.openQuestions).toEqual([]);
  expect(outline(timeline.lane.entries)).toEqual(["steering: use tabs", "? Sure? yes"]);
});

test("other events are one line each, and the result of an unknown call is a call", () => {
  const error = {
    code: "run.cancelled",
    class: "aborted",
    message: "It was stopped.",
    remedy: "",
    retryable: false,
  } as const;
  const timeline = timelineOf(
    event("warning", { message: "careful" }),
    event("tool_call_end", { type: "tool_result", tool_call_id: "x", name: "look", content: "seen", duration_ms: 5 }),
    event("turn_limit", { limit: "max_turns", count: 3 }),
    event("run_end", { outcome: "cancelled", error }),
  );
  expect(outline(timeline.lane.entries)).toEqual([
    "warning: careful",
    "look: seen",
    "warning: The limit of 3 turns was reached.",
    "error: It was stopped.",
  ]);
});

test("a response that is discarded is not shown, and its retry is one line", () => {
  const error = { code: "llm.stream_broken", class: "not_available", message: "It broke off.", remedy: "" } as const;
  const timeline = timelineOf(
    event("assistant_text_delta", { type: "token", content: "half" }),
    event("assistant_text_end", { content: "", finish_reason: "retried" }),
    event("model_call_retried", {
      attempt: 1,
      delay_ms: 2_500,
      error: { ...error, retryable: true },
      is_partial: true,
    }),
  );
  expect(outline(timeline.lane.entries)).toEqual([
    "warning: Model call failed, retried after 2.5 s: It broke off. The partial response was discarded.",
  ]);
});

test("a failure that ends an attempt is shown once per attempt", () => {
  const failure = {
    code: "llm.unavailable",
    class: "not_available",
    message: "The model is away.",
    remedy: "Wait.",
    retryable: true,
  } as const;
  const attempt = (resumed: boolean): Envelope[] => [
    event("run_start", { resumed }),
    event("error", failure),
    event("run_end", { outcome: "failed", error: failure }),
  ];
  const other = event("run_end", { outcome: "failed", error: { ...failure, message: "The disk is full." } });
  expect(outline(timelineOf(...attempt(false), ...attempt(true), other).lane.entries)).toEqual([
    "error: The model is away.",
    "info: Attempt 1 continues from a checkpoint.",
    "error: The model is away.",
    "error: The disk is full.",
  ]);
});

test("a call that waits for a permission asks once, and the wait does not count as tool time", () => {
  const metadata = { kind: "approval", tool: "edit_file", call_id: "c", arguments: '{"file_path":"a.js"}' };
  const parts = [{ type: "text", text: "May it?" }] as const;
  const asking = [
    event("run_start", { resumed: false }),
    step("main.iter1"),
    event("assistant_text_end", { content: "I edit." }),
    event("tool_call_start", { type: "tool_call", id: "c", name: "edit_file", arguments: metadata.arguments }),
    event("user_prompted", { prompt_id: "p", parts, schema: { enum: ["allow_once", "deny"] }, metadata }),
  ];
  const timeline = timelineOf(...asking);
  const [question] = timeline.openQuestions;
  expect(question).toMatchObject({ choices: ["allow_once", "deny"], approval: { tool: "edit_file", callId: "c" } });
  expect(outline(timeline.lane.entries)).toEqual([["turn 1", "agent: I edit.", "edit_file: "]]);
  expect(timeline.time.spans.filter(({ endMs }) => endMs === undefined).map(({ kind }) => kind)).toEqual(["waiting"]);
  timeline.take(event("user_replied", { prompt_id: "p", parts: [{ type: "text", text: "allow_once" }] }));
  timeline.take(event("tool_call_end", { type: "tool_result", tool_call_id: "c", content: "ok" }));
  const [turn] = timeline.lane.entries;
  const tool = turn?.kind === "turn" ? turn.entries.at(-1) : undefined;
  expect(tool).toMatchObject({ kind: "tool", waitedMs: 1_000, waitingSinceMs: undefined });
  expect(timeline.time.spans).toEqual([
    { kind: "model", label: "Model", startMs: 1_000, endMs: 2_000 },
    { kind: "tool", label: "edit_file", startMs: 3_000, endMs: 4_000 },
    { kind: "waiting", label: "Waiting for an answer", startMs: 4_000, endMs: 5_000 },
    { kind: "tool", label: "edit_file", startMs: 5_000, endMs: 6_000 },
  ]);
});

test("a turn shows the tokens and cost of its responses, each counted once", () => {
  const usage = { inputTokens: 100, outputTokens: 10, totalTokens: 110, cacheReadTokens: 80, costMicros: 5 };
  const timeline = timelineOf(
    step("main.iter1"),
    event("usage_reported", { response_id: "1", usage }),
    event("usage_reported", { response_id: "1", usage }),
    event("usage_reported", { response_id: "2", usage }),
    event("step_complete", { step: "main.iter1" }),
    step("main.iter2"),
  );
  const usages = timeline.lane.entries.map((entry) => (entry.kind === "turn" ? entry.usage?.cacheReadTokens : "other"));
  expect(usages).toEqual([160, undefined]);
});

test("the pause between two attempts is removed from the axis", () => {
  const timeline = timelineOf(event("run_start", { resumed: false }), step("main.iter1"));
  seq += 86_400;
  for (const one of [event("run_start", { resumed: true }), step("main.iter1")]) timeline.take(one);
  expect(timeline.time.lastMs).toBe(2_500);
  expect(timeline.time.spans.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [1_000, 1_000],
    [2_500, undefined],
  ]);
});
