import {
  type ControlSource,
  DEPENDENCY,
  EngineError,
  MAIN_CHANNEL,
  SESSION_RESULT,
  textOf,
} from "@switchyard/contracts";
import { recordingHost, text, toolCall, toolCalls } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { counting, textsOf, tool } from "../../test/run-session.ts";
import { checkpointsOf, codeOf, startRun } from "../../test/start-run.ts";
import { createAnthropicProfile } from "../index.ts";

describe("calls that were asked for and have no outcome", () => {
  test("are repeated if that is safe, and have an unknown outcome otherwise [D4] [D5] [loop-2.5-27]", async () => {
    await using workspace = await openWorkspace();
    const tools = [counting("look", "readonly"), counting("put", "idempotent"), counting("spend"), counting("gone")];
    const [, put, spend, gone] = tools;
    const calls = tools.map(({ definition: { name } }) => ({ name, arguments: {} }));
    const [intents] = await checkpointsOf(workspace, { tools, steps: [toolCalls(calls), text("done")] });
    const { client, host, board, execution } = startRun(workspace, {
      from: intents,
      tools: tools.filter((one) => one !== gone),
      steps: [text("I see")],
    });
    await execution;
    expect([put?.calls, spend?.calls, gone?.calls]).toEqual([2, 1, 1]);
    const results = client.requests[0]?.messages.findLast(({ role }) => role === "tool")?.parts;
    expect(results).toMatchObject([
      { toolCallId: "call_1", content: "look 2", isError: false },
      { toolCallId: "call_2", content: "put 2", isError: false },
      {
        toolCallId: "call_3",
        content: expect.stringMatching(/^unknown_outcome: .* was not repeated/),
        isError: true,
      },
      { toolCallId: "call_4", content: expect.stringContaining("gone is no longer offered"), isError: true },
    ]);
    expect(host.ofType("tool_call_start").map(({ payload }) => payload.name)).toEqual(["look", "put"]);
    const ends = host.ofType("tool_call_end").map(({ payload }) => [payload.tool_call_id, payload.is_error]);
    expect(ends.sort()).toEqual([
      ["call_1", false],
      ["call_2", false],
      ["call_3", true],
      ["call_4", true],
    ]);
    expect(board.get(SESSION_RESULT)).toMatchObject({ exit_code: 0, final_message: "I see", turns: 2 });
  });

  test("are executed one after the other if the model does not support parallel calls", async () => {
    await using workspace = await openWorkspace();
    const tools = [counting("spend"), counting("look", "readonly")];
    const profile = createAnthropicProfile({ model: "claude", supportsParallelToolCalls: false });
    const calls = tools.map(({ definition: { name } }) => ({ name, arguments: {} }));
    const setup = { tools, profile };
    const [intents] = await checkpointsOf(workspace, { ...setup, steps: [toolCalls(calls), text("done")] });
    const { host, execution } = startRun(workspace, { ...setup, from: intents, steps: [text("done")] });
    await execution;
    expect(host.ofType("tool_call_end").map(({ payload }) => payload.name)).toEqual(["spend", "look"]);
  });

  test("get unique ids if a model restarts its numbering", async () => {
    await using workspace = await openWorkspace();
    const look = counting("look", "readonly");
    const setup = { tools: [look] };
    const [, outcomes] = await checkpointsOf(workspace, { ...setup, steps: [toolCall("look"), text("done")] });
    const { host, board, execution } = startRun(workspace, {
      ...setup,
      from: outcomes,
      steps: [toolCall("look"), text("done")],
    });
    await execution;
    const ids = board.get(SESSION_RESULT)?.transcript?.flatMap(({ tool_result: result }) => result?.call_id ?? []);
    expect(ids).toEqual(["call_1", "call_1-2"]);
    // The provider's response ids are not unique either, so usage must not be deduplicated by them.
    expect(host.usages.map(({ responseId }) => responseId)).toEqual([undefined, "response_2"]);
  });
});

describe("a run that is stopped", () => {
  test("preserves the known outcomes and continues after them [D4] [D5]", async () => {
    await using workspace = await openWorkspace();
    const host = recordingHost();
    const spend = counting("spend");
    const tools = [
      tool("stop", () => {
        host.interrupt({ cause: "user_cancel" });
        return "stopped";
      }),
      spend,
    ];
    const profile = createAnthropicProfile({ model: "claude", supportsParallelToolCalls: false });
    const setup = { tools, profile, config: { abortGraceMs: 1 } };
    const calls = ["stop", "spend"].map((name) => ({ name, arguments: {} }));
    const { execution } = startRun(workspace, { ...setup, host, steps: [toolCalls(calls)] });
    expect(await codeOf(execution)).toBe("run.interrupted");
    expect(host.checkpoints).toHaveLength(2);
    const resumed = startRun(workspace, { ...setup, from: host.checkpoints.at(-1), steps: [text("done")] });
    await resumed.execution;
    expect(resumed.host.ofType("tool_call_end")).toEqual([]);
    expect(resumed.client.requests[0]?.messages.at(-1)?.parts).toMatchObject([
      { content: "stopped" },
      { content: expect.stringMatching(/^cancelled/) },
    ]);
    expect(spend.calls).toBe(0);
  });

  test("preserves the unknown outcome of a tool that did not end [D5]", async () => {
    await using workspace = await openWorkspace();
    const host = recordingHost();
    const stuck = tool("stuck", () => {
      host.interrupt({ cause: "host_shutdown" });
      return new Promise<string>(() => {});
    });
    const setup = { tools: [stuck], config: { abortGraceMs: 1 } };
    expect(await codeOf(startRun(workspace, { ...setup, host, steps: [toolCall("stuck")] }).execution)).toBe(
      "run.interrupted",
    );
    const resumed = startRun(workspace, { ...setup, from: host.checkpoints.at(-1), steps: [text("done")] });
    await resumed.execution;
    expect(resumed.client.requests[0]?.messages.at(-1)?.parts).toMatchObject([
      { content: expect.stringMatching(/^unknown_outcome/) },
    ]);
  });

  test("by its time limit resumes with the time of the new attempt", async () => {
    await using workspace = await openWorkspace();
    const { host, execution } = startRun(workspace, {
      input: { timeout_seconds: 2 },
      steps: [toolCall("shell", { command: "sleep 30" })],
    });
    expect(await codeOf(execution)).toBe("run.timed_out");
    const resumed = startRun(workspace, { from: host.checkpoints.at(-1), steps: [text("too slow")] });
    await resumed.execution;
    expect(resumed.board.get(SESSION_RESULT)).toMatchObject({ exit_code: 0, final_message: "too slow" });
    expect(resumed.board.get(SESSION_RESULT)?.duration_ms).toBeGreaterThanOrEqual(200);
  });

  test("in a model call loses no message that arrived meanwhile, and stores no partial response", async () => {
    await using workspace = await openWorkspace();
    const host = recordingHost();
    let messages = [
      { type: "steer" as const, text: "with tabs" },
      { type: "follow_up" as const, text: "and then" },
    ];
    const control: ControlSource = {
      drain: () => messages.splice(0),
      onMessage: () => () => {},
    };
    const { execution } = startRun(workspace, {
      host,
      dependencies: [[DEPENDENCY.control, control]],
      steps: [
        () => {
          host.interrupt({ cause: "user_cancel" });
          return text("half of it, and a lot more that is never heard");
        },
      ],
    });
    expect(await codeOf(execution)).toBe("run.interrupted");
    messages = [];
    const [stopped] = host.checkpoints;
    expect(host.checkpoints).toHaveLength(1);
    const resumed = startRun(workspace, { from: stopped, steps: [text("one"), text("two")] });
    await resumed.execution;
    expect(resumed.board.channel(MAIN_CHANNEL).map(textOf)).toEqual(["go", "with tabs", "one", "and then", "two"]);
  });

  test("in its first model call can resume only from the input", async () => {
    await using workspace = await openWorkspace();
    const host = recordingHost();
    const { execution } = startRun(workspace, {
      host,
      steps: [
        () => {
          host.interrupt({ cause: "user_cancel" });
          return text("never");
        },
      ],
    });
    expect(await codeOf(execution)).toBe("run.interrupted");
    expect(host.checkpoints).toEqual([]);
  });

  test("by its budget preserves the response that was paid for, and its calls can be repeated [D14]", async () => {
    await using workspace = await openWorkspace();
    const usageFailure = new EngineError("budget.exceeded", { budget: "tokens", used: 2, limit: 1 });
    const spend = counting("spend");
    const setup = { tools: [spend] };
    const { host, execution } = startRun(workspace, {
      ...setup,
      host: recordingHost({ usageFailure }),
      steps: [toolCall("spend")],
    });
    expect(await codeOf(execution)).toBe("budget.exceeded");
    const resumed = startRun(workspace, { ...setup, from: host.checkpoints.at(-1), steps: [text("done")] });
    await resumed.execution;
    expect(spend.calls).toBe(0);
    expect(resumed.board.get(SESSION_RESULT)).toMatchObject({ turns: 2 });
    expect(resumed.client.requests[0]?.messages.at(-1)?.parts).toMatchObject([
      { content: expect.stringMatching(/^cancelled/) },
    ]);
  });
});

describe("limits, notices and prompts", () => {
  test("continue to count [D9]", async () => {
    await using workspace = await openWorkspace();
    const look = counting("look", "readonly");
    for (const [config, limit] of [
      [{ maxTurns: 3 }, "max_turns"],
      [{ maxToolRoundsPerInput: 3 }, "max_tool_rounds_per_input"],
    ] as const) {
      const setup = { tools: [look], config };
      const steps = Array.from({ length: 3 }, () => toolCall("look"));
      const [, , , outcomes] = await checkpointsOf(workspace, { ...setup, steps });
      const { host, board, execution } = startRun(workspace, { ...setup, from: outcomes, steps: [toolCall("look")] });
      await execution;
      expect(host.ofType("turn_limit").map(({ payload }) => payload)).toEqual([{ limit, count: 3 }]);
      expect(board.get(SESSION_RESULT)).toMatchObject({ exit_code: 1, turns: 3 });
    }
  });

  test("are reported once over all attempts [D9]", async () => {
    await using workspace = await openWorkspace();
    const look = counting("look", "readonly");
    const setup = {
      tools: [look],
      config: { loopDetectionWindow: 2 },
      profile: createAnthropicProfile({ model: "claude", contextWindowTokens: 4 }),
    };
    const steps = Array.from({ length: 2 }, () => toolCall("look"));
    const { host, execution } = startRun(workspace, { ...setup, steps: [...steps, text("done")] });
    await execution;
    expect(host.ofType("loop_detection")).toHaveLength(1);
    const kinds = (of: typeof host): unknown[] => of.ofType("warning").map(({ payload }) => payload.kind);
    expect(kinds(host)).toContain("context_usage");
    const resumed = startRun(workspace, {
      ...setup,
      from: host.checkpoints.at(-1),
      steps: [toolCall("look"), text("done")],
    });
    await resumed.execution;
    expect(resumed.host.ofType("loop_detection")).toEqual([]);
    expect(kinds(resumed.host)).not.toContain("context_usage");
  });

  test("are the same as in the first attempt, regardless of changes in the workspace [D9]", async () => {
    await using workspace = await openWorkspace({ "AGENTS.md": "Write tests." });
    const look = counting("look", "readonly");
    const setup = { tools: [look] };
    const first = startRun(workspace, { ...setup, steps: [toolCall("look"), text("done")] });
    await first.execution;
    await workspace.write("AGENTS.md", "Write no tests.");
    const resumed = startRun(workspace, { ...setup, from: first.host.checkpoints[0], steps: [text("done")] });
    await resumed.execution;
    const prompts = [first, resumed].map(({ client }) => textsOf(client.requests.at(-1), "system")[0]);
    expect(prompts[0]).toContain("Write tests.");
    expect(prompts[1]).toBe(prompts[0]);
  });

  test("an open step continues and ends, and the next step has the next number [engine-subjects-5]", async () => {
    await using workspace = await openWorkspace();
    const look = counting("look", "readonly");
    const setup = { tools: [look] };
    const [intents] = await checkpointsOf(workspace, { ...setup, steps: [toolCall("look"), text("done")] });
    const { host, execution } = startRun(workspace, { ...setup, from: intents, steps: [text("done")] });
    await execution;
    const steps = host.envelopes.flatMap((envelope) =>
      envelope.type === "step_start" || envelope.type === "step_complete"
        ? [[envelope.type, envelope.payload.step, envelope.attempt]]
        : [],
    );
    expect(steps).toEqual([
      ["step_complete", "agent.iter1", 2],
      ["step_start", "agent.iter2", 2],
      ["step_complete", "agent.iter2", 2],
    ]);
    expect(host.types().slice(0, 2)).toEqual(["run_start", "session_start"]);
    expect(host.ofType("user_input")).toEqual([]);
  });
});
