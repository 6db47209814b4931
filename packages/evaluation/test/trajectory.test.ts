import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Envelope, EventPayloads, EventType, StoredRun } from "@switchyard/contracts";
import {
  checkTrajectory,
  createTrajectory,
  diffTrajectories,
  parseTrajectory,
  type Trajectory,
} from "@switchyard/evaluation";
import { describeTrajectoryDiff } from "@switchyard/evaluation/terminal";
import { describe, expect, test } from "vitest";

const FIXTURE = join(import.meta.dirname, "../../../fixtures/trajectories/every-field.json");
const TEXT = await readFile(FIXTURE, "utf8");

/** Returns a copy of the fixture with the value at a path replaced, or removed if the new value is `undefined`. */
function mutate(path: string, value: unknown): unknown {
  const document: unknown = JSON.parse(TEXT);
  const names = path.split(".");
  const last = names.pop() ?? "";
  let target = document;
  for (const name of names) target = Object(target)[name];
  if (value === undefined) Reflect.deleteProperty(Object(target), last);
  else Reflect.set(Object(target), last, value);
  return document;
}

/** Changes that make the fixture invalid, and the field that the message names. */
const MUTATIONS: readonly (readonly [path: string, value: unknown, named: string])[] = [
  ["schema_version", undefined, "'schema_version'"],
  ["schema_version", "ATIF-v2.0", "schema_version"],
  ["schema_version", 1.7, "schema_version"],
  ["session_id", 7, "session_id"],
  ["agent", undefined, "'agent'"],
  ["agent.name", undefined, "'name'"],
  ["agent.version", 2, "agent.version"],
  ["agent.tool_definitions", {}, "agent.tool_definitions"],
  ["agent.nickname", "x", "agent.nickname"],
  ["steps", [], "steps"],
  ["steps", {}, "steps"],
  ["steps.0.step_id", 0, "steps.0.step_id"],
  ["steps.3.step_id", 5, "steps.3.step_id"],
  ["steps.1.source", "assistant", "steps.1.source"],
  ["steps.1.source", undefined, "'source'"],
  ["steps.1.message", undefined, "'message'"],
  ["steps.1.message", null, "steps.1.message"],
  ["steps.1.role", "user", "steps.1.role"],
  ["steps.3.timestamp", "yesterday", "steps.3.timestamp"],
  ["steps.3.timestamp", "2026-13-45T12:00:00Z", "steps.3.timestamp"],
  ["steps.2.message.1.source", undefined, "steps.2.message.1.source"],
  ["steps.2.message.1.text", "x", "steps.2.message.1.text"],
  ["steps.2.message.0.type", "video", "steps.2.message.0.type"],
  ["steps.2.message.1.source.media_type", "audio/wav", "steps.2.message.1.source.media_type"],
  ["steps.1.model_name", "acme/large", "steps.1.model_name"],
  ["steps.1.tool_calls", [], "steps.1.tool_calls"],
  ["steps.0.metrics", {}, "steps.0.metrics"],
  ["steps.3.tool_calls.0.arguments", "{}", "steps.3.tool_calls.0.arguments"],
  ["steps.3.tool_calls.0.tool_call_id", undefined, "'tool_call_id'"],
  ["steps.3.observation.results.0.source_call_id", "call-9", "steps.3.observation.results.0.source_call_id"],
  ["steps.3.observation.results", undefined, "'results'"],
  [
    ...(["steps.3.observation.results.0.subagent_trajectory_ref.0", { session_id: "session-2" }] as const),
    "steps.3.observation.results.0.subagent_trajectory_ref.0",
  ],
  ["steps.3.metrics.prompt_tokens", -1, "steps.3.metrics.prompt_tokens"],
  ["steps.3.metrics.completion_tokens", 1.5, "steps.3.metrics.completion_tokens"],
  ["steps.3.metrics.cost_usd", "0.1", "steps.3.metrics.cost_usd"],
  ["steps.3.metrics.logprobs", ["a"], "steps.3.metrics.logprobs.0"],
  ["steps.3.llm_call_count", 0, "steps.3.metrics"],
  ["steps.1.is_copied_context", "yes", "steps.1.is_copied_context"],
  ["final_metrics.total_steps", -1, "final_metrics.total_steps"],
  ["final_metrics.total_reward", 1, "final_metrics.total_reward"],
  ["subagent_trajectories.0.trajectory_id", undefined, "subagent_trajectories.0.trajectory_id"],
  ["subagent_trajectories.0.steps.1.step_id", 3, "subagent_trajectories.0.steps.1.step_id"],
  ["extra", [], "extra"],
];

describe("ATIF", () => {
  test("a document with every field is valid", async () => {
    expect(await parseTrajectory(TEXT, FIXTURE)).toEqual(JSON.parse(TEXT));
  });

  test.each(MUTATIONS)("%s = %j is refused, and the message names the field", async (path, value, named) => {
    const text = JSON.stringify(mutate(path, value));
    await expect(parseTrajectory(text, "changed.json")).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining(named),
    });
  });

  test("an optional field may be null, like a missing one; arguments and additional data keep their nulls", async () => {
    const document = Object(mutate("notes", null));
    Object.assign(document.steps[1], { metrics: null, tool_calls: null, model_name: null, llm_call_count: null });
    document.steps[3].observation.results[0].subagent_trajectory_ref = null;
    document.steps[3].tool_calls[0].arguments = { limit: null };
    expect(checkTrajectory(document)).toBeUndefined();
    const parsed = await parseTrajectory(JSON.stringify(document), "nulls.json");
    expect(parsed).not.toHaveProperty("notes");
    expect(parsed.steps[1]).not.toHaveProperty("metrics");
    expect(parsed.steps[3]?.tool_calls?.[0]?.arguments).toEqual({ limit: null });
  });

  test("older versions need a session id, and refer to subagents by it", () => {
    const older = Object(mutate("schema_version", "ATIF-v1.6"));
    expect(checkTrajectory(older)).toBeUndefined();
    older.steps[3].observation.results[0].subagent_trajectory_ref = [{ session_id: "session-2" }];
    expect(checkTrajectory(older)).toBeUndefined();
    delete older.session_id;
    expect(checkTrajectory(older)).toBe("session_id is required before ATIF-v1.7");
  });
});

const TIME = "2026-03-01T12:00:00.000Z";

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === "object" && value !== null && "payload" in value;
}

function event<T extends EventType>(type: T, payload: EventPayloads[T], agentId = "agent"): Envelope {
  const envelope: unknown = {
    id: "1",
    type,
    subject: "",
    time: TIME,
    attempt: 1,
    headers: { agent_id: agentId },
    payload,
  };
  if (!isEnvelope(envelope)) throw new Error("no event");
  return envelope;
}

const call = (id: string, args: unknown = {}): Envelope =>
  event("tool_call_start", { type: "tool_call", id, name: "shell", arguments: args });
const result = (id: string, content = "ok"): Envelope =>
  event("tool_call_end", { type: "tool_result", tool_call_id: id, content });
const says = (content: string): Envelope => event("assistant_text_end", { content });
const USAGE = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

function runOf(more: Partial<StoredRun> = {}): StoredRun {
  const record = {
    ...({ format: 1, run_id: "r", engine: "agent", title: "t", status: "completed", attempt: 1 } as const),
    ...{ created_at: TIME, created_by: "switchyard 1" },
  };
  return { runId: "r", folder: "/", problems: [], record, ...more };
}

async function exported(events: readonly Envelope[], more?: Partial<StoredRun>): Promise<Trajectory> {
  const trajectory = await createTrajectory(runOf(more), { events });
  expect(checkTrajectory(trajectory)).toBeUndefined();
  return trajectory;
}

describe("steps of a run", () => {
  test("with boundaries, all calls of a response are one step; without, calls after results begin a new one", async () => {
    const round = [says("Look."), call("1"), result("1"), call("2"), result("2")];
    const bounded = await exported([
      event("step_start", { step: "agent.iter1" }),
      ...round,
      event("step_complete", { step: "agent.iter1" }),
      event("step_start", { step: "agent.iter2" }),
      says("Done."),
    ]);
    expect(bounded.steps.map(({ message, tool_calls = [] }) => [message, tool_calls.length])).toEqual([
      ["Look.", 2],
      ["Done.", 0],
    ]);
    const free = await exported([...round, call("3"), call("4"), result("4"), result("3"), says("Done.")]);
    expect(free.steps.map(({ message, tool_calls = [] }) => [message, tool_calls.length])).toEqual([
      ["Look.", 1],
      ["", 1],
      ["", 2],
      ["Done.", 0],
    ]);
    expect(free.steps[2]?.observation?.results.map(({ source_call_id }) => source_call_id)).toEqual(["4", "3"]);
  });

  test("usage belongs to its response and is counted once; discarded responses are left out", async () => {
    const usage = event("usage_reported", { response_id: "a", usage: { ...USAGE, costMicros: 7, model: "other" } });
    const { steps } = await exported([
      event("usage_reported", { usage: USAGE }),
      event("assistant_text_end", { content: "half", finish_reason: "retried" }),
      event("assistant_text_end", { content: "Hello.", reasoning: "Greet.", finish_reason: "stop" }),
      usage,
      usage,
    ]);
    expect(steps).toEqual([
      {
        ...{ step_id: 1, timestamp: TIME, source: "agent", message: "Hello.", reasoning_content: "Greet." },
        ...{ model_name: "other", llm_call_count: 2, extra: { finish_reason: "stop" } },
        metrics: { prompt_tokens: 20, completion_tokens: 10, cost_usd: 0.000007 },
      },
    ]);
  });

  test("arguments that are not an object are kept as text", async () => {
    const { steps } = await exported([call("1", '{"a":1}'), call("2", "ls -l"), call("3", ["x"]), call("4", "")]);
    expect(steps[0]?.tool_calls?.map(({ arguments: given, extra }) => [given, extra])).toEqual([
      [{ a: 1 }, undefined],
      [{}, { arguments_text: "ls -l" }],
      [{}, { arguments_text: '["x"]' }],
      [{}, undefined],
    ]);
  });

  test("a subagent is an embedded trajectory that the result of its call refers to", async () => {
    const { steps, subagent_trajectories: subagents } = await exported([
      event("user_input", { content: "Go." }),
      call("1"),
      event("subagent_started", { agent_id: "agent-1", content: "look", status: "running" }),
      event("user_input", { content: "look" }, "agent-1"),
      event("assistant_text_end", { content: "Seen." }, "agent-1"),
      event("subagent_ended", { agent_id: "agent-1", content: "Seen.", status: "completed" }),
      result("1"),
      says("Done."),
    ]);
    expect(steps.map(({ source, message }) => [source, message])).toEqual([
      ["user", "Go."],
      ["agent", ""],
      ["agent", "Done."],
    ]);
    expect(steps[1]?.observation?.results[0]?.subagent_trajectory_ref).toEqual([{ trajectory_id: "agent-1" }]);
    expect(subagents).toMatchObject([{ trajectory_id: "agent-1", steps: [{ message: "look" }, { message: "Seen." }] }]);
  });

  test("the conversation before the task is copied context", async () => {
    const messages = [
      { role: "user" as const, content: "One?" },
      { role: "assistant" as const, content: "1." },
      { role: "user" as const, content: "Two?" },
    ];
    const { steps } = await exported([event("user_input", { content: "Two?" }), says("2.")], {
      request: { format: 1, input: { messages } },
    });
    expect(steps.map(({ source, message, is_copied_context }) => [source, message, is_copied_context])).toEqual([
      ["user", "One?", true],
      ["agent", "1.", true],
      ["user", "Two?", undefined],
      ["agent", "2.", undefined],
    ]);
  });

  test("secrets of the caller and recognised credentials are masked", async () => {
    const token = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0hL3nR6"}`;
    const trajectory = await createTrajectory(runOf(), {
      events: [
        event("user_input", { content: `Use ${token}.` }),
        call("1", { key: "my-own-secret-value" }),
        says("ok"),
      ],
      secrets: ["my-own-secret-value"],
    });
    const text = JSON.stringify(trajectory);
    expect(text).not.toContain(token);
    expect(text).not.toContain("my-own-secret-value");
    expect(trajectory.steps[0]?.message).toBe("Use ***REDACTED***.");
  });
});

describe("difference of two trajectories", () => {
  const start = [event("user_input", { content: "Fix it." }), says("Look."), call("1", { command: "ls" })];

  test("ids and times do not count", async () => {
    const left = await exported([...start, result("1"), says("Done.")]);
    const right = await exported([...start.slice(0, 2), call("9", { command: "ls" }), result("9"), says("Done.")]);
    const diff = diffTrajectories(left, { ...right, session_id: "other" });
    expect(diff).toMatchObject({ is_equal: true, common_steps: 3, changes: [] });
    expect(describeTrajectoryDiff({ left, right, diff })[0]).toBe("The trajectories are equal.");
  });

  test("the first divergence, added and removed steps, tool calls, tokens and cost are named", async () => {
    const usage = event("usage_reported", { usage: { ...USAGE, costMicros: 10_000 } });
    const left = await exported([...start, result("1", "a.txt"), usage, says("Done.")]);
    const right = await exported([
      ...[...start, result("1", "b.txt"), usage],
      ...[call("2", { command: "pwd" }), result("2"), usage, says("Done.")],
    ]);
    const diff = diffTrajectories(left, right);
    expect(diff).toMatchObject({
      ...{ is_equal: false, first_divergence: { kind: "results", left: 2, right: 2 }, common_steps: 3 },
      changes: [
        { change: "results", left: 2, right: 2 },
        { change: "added", right: 3 },
      ],
      tool_calls: { shell: { left: 1, right: 2 } },
      totals: { steps: { left: 3, right: 4 }, prompt_tokens: { left: 10, right: 20 } },
    });
    const shown = describeTrajectoryDiff({ left, right, diff });
    expect(shown[0]).toBe("First difference at step 2: other results of the same tool calls");
    expect(shown).toContain('+ #3 agent: → shell {"command":"pwd"}');
    expect(shown).toContain("  shell: 1 → 2 (+1)");
    expect(shown).toContain("Input tokens: 10 → 20 (+10)");
    expect(shown).toContain("Cost: $0.0100 → $0.0200 (+$0.0100)");
    expect(diffTrajectories(right, left).changes).toContainEqual({ change: "removed", left: 3 });
  });

  test("a trajectory that ends early diverges at its end", async () => {
    const [short, long] = [await exported(start), await exported([...start, result("1"), says("Done.")])];
    expect(diffTrajectories(short, await exported([...start, says("Done.")])).first_divergence).toEqual({
      ...{ kind: "end", right: 3 },
    });
    expect(diffTrajectories(short, long).first_divergence).toMatchObject({ kind: "results", left: 2 });
  });
});
