import { DEPENDENCY, EngineError, MAIN_CHANNEL, SESSION_RESULT, textOf } from "@switchyard/contracts";
import { failure, recordingHost, scriptedClient, text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { controlSource } from "../../test/control-source.ts";
import { createEngine } from "../../test/create-engine.ts";
import { openWorkspace } from "../../test/open-workspace.ts";
import { textsOf, tool } from "../../test/run-session.ts";
import { codeOf, startRun } from "../../test/start-run.ts";
import { createAnthropicProfile } from "../index.ts";

test("a run is one session over the input, and its result is on the board", async () => {
  await using workspace = await openWorkspace({ "a.txt": "hello" });
  const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
  const { host, board, execution } = startRun(workspace, {
    steps: [
      { ...toolCall("read_file", { file_path: "a.txt" }), usage },
      { ...text("It says hello."), usage },
    ],
  });
  expect(await execution).toBe(board);
  expect(board.get(SESSION_RESULT)).toMatchObject({
    exit_code: 0,
    final_message: "It says hello.",
    engine: "agent",
    model: "anthropic/claude",
    turns: 2,
    input_tokens: 20,
    output_tokens: 10,
    transcript: [
      { role: "user", content: "go" },
      {
        role: "assistant",
        turn: 1,
        tool_calls: [{ id: "call_1", name: "read_file", arguments: '{"file_path":"a.txt"}' }],
      },
      {
        role: "tool",
        turn: 1,
        tool_result: { call_id: "call_1", status: "ok", content: "1 | hello", duration_ms: expect.any(Number) },
      },
      { role: "assistant", turn: 2, content: "It says hello." },
    ],
  });
  expect(board.channel(MAIN_CHANNEL).map((message) => message.role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
  expect(host.usages).toEqual([
    { ...usage, responseId: "response_1" },
    { ...usage, responseId: "response_2" },
  ]);
  const types = host.types().filter((type) => type !== "assistant_text_delta");
  expect(types[0]).toBe("run_start");
  expect(types.slice(-3)).toEqual(["processing_end", "session_end", "run_end"]);
  for (const envelope of host.envelopes) {
    expect(envelope.subject.startsWith("engine.run.run-1.")).toBe(true);
    expect(envelope.attempt).toBe(1);
  }
});

test("messages become the history, the last user message the input", async () => {
  await using workspace = await openWorkspace();
  const { client, board, execution } = startRun(workspace, {
    steps: [text("done")],
    input: {
      messages: [
        { role: "user", content: "first" },
        { role: "system", content: "be brief" },
        { role: "assistant", content: "ok" },
        { role: "tool", content: "42" },
        { role: "user", content: "second" },
      ],
    },
  });
  await execution;
  expect(client.requests[0]?.messages.map((message) => message.role)).toEqual([
    "system",
    "system",
    "user",
    "assistant",
    "user",
    "user",
  ]);
  expect(textsOf(client.requests[0], "system")[1]).toBe("be brief");
  expect(textsOf(client.requests[0], "user")).toEqual(["first", expect.stringContaining("42"), "second"]);
  expect(board.get(SESSION_RESULT)).toMatchObject({ turns: 1, final_message: "done" });
});

test("messages after the last user message are ignored with a warning", async () => {
  await using workspace = await openWorkspace();
  const { client, host, execution } = startRun(workspace, {
    steps: [text("done")],
    input: {
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: "half" },
      ],
    },
  });
  await execution;
  expect(textsOf(client.requests[0], "assistant")).toEqual([]);
  const warnings = host.envelopes.filter((envelope) => envelope.type === "warning");
  expect(warnings.map((envelope) => envelope.payload)).toMatchObject([{ kind: "messages_ignored" }]);
});

test("a clock that is set back yields a valid result [D12]", async () => {
  await using workspace = await openWorkspace();
  let time = 1_000_000;
  const { board, execution } = startRun(workspace, {
    steps: [toolCall("shell", { command: "true" }), text("done")],
    now: () => {
      time -= 1_000;
      return time;
    },
  });
  await execution;
  const result = board.get(SESSION_RESULT);
  expect(result?.duration_ms).toBe(0);
  expect(result?.transcript?.map((message) => message.tool_result?.duration_ms ?? 0)).toEqual([0, 0, 0, 0]);
});

test("a transcript as input retains its calls and results", async () => {
  await using workspace = await openWorkspace();
  const messages = [
    { role: "user" as const, content: "a" },
    { role: "assistant" as const, content: "", tool_calls: [{ id: "1", name: "shell", arguments: "{}" }] },
    { role: "tool" as const, content: "out", tool_result: { call_id: "1", status: "error" as const, content: "out" } },
    { role: "user" as const, content: "b" },
  ];
  const { client, execution } = startRun(workspace, { steps: [text("done")], input: { messages } });
  await execution;
  expect(client.requests[0]?.messages[3]?.parts).toEqual([
    { type: "tool_result", toolCallId: "1", name: "shell", content: "out", isError: true },
  ]);
});

test("an input without a user message is refused", async () => {
  await using workspace = await openWorkspace();
  const { execution } = startRun(workspace, { steps: [], input: { messages: [{ role: "system", content: "x" }] } });
  expect(await codeOf(execution)).toBe("input.invalid");
});

test("a run without an environment is refused", async () => {
  await using workspace = await openWorkspace();
  expect(
    await codeOf(
      startRun(workspace, { steps: [], dependencies: [[DEPENDENCY.environment, { readFile: 1 }]] }).execution,
    ),
  ).toBe("dependency.wrong_type");
});

describe("limits", () => {
  test("max_turns stops the run with exit code 1 and the partial result", async () => {
    await using workspace = await openWorkspace();
    const { board, host, execution } = startRun(workspace, {
      steps: [toolCall("glob", { pattern: "*" }), text("never")],
      input: { max_turns: 1 },
    });
    await execution;
    expect(board.get(SESSION_RESULT)).toMatchObject({ exit_code: 1, final_message: "", turns: 1 });
    expect(host.ofType("turn_limit")).toHaveLength(1);
  });

  test("the time limit of the input stops the run", async () => {
    await using workspace = await openWorkspace();
    const { board, execution } = startRun(workspace, {
      steps: [toolCall("shell", { command: "sleep 30" })],
      input: { timeout_seconds: 0.2 },
    });
    expect(await codeOf(execution)).toBe("run.timed_out");
    expect(board.get(SESSION_RESULT)).toMatchObject({ exit_code: 1 });
  });

  test("a host that allows no further call ends the run with its own error", async () => {
    await using workspace = await openWorkspace();
    const usageFailure = new EngineError("budget.exceeded", { budget: "tokens", used: 2, limit: 1 });
    const { client, execution } = startRun(workspace, {
      steps: [toolCall("glob", { pattern: "*" }), text("never")],
      host: recordingHost({ usageFailure }),
    });
    expect(await codeOf(execution)).toBe("budget.exceeded");
    expect(client.requests).toHaveLength(1);
  });
});

describe("stops", () => {
  const waiting = tool(
    "waiting",
    (_, __, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped"))),
  );

  test("an interrupt stops the run, and the board contains the progress", async () => {
    await using workspace = await openWorkspace();
    const host = recordingHost();
    const interrupting = tool("interrupting", () => {
      host.interrupt({ cause: "user_cancel" });
      return new Promise(() => {});
    });
    const { board, execution } = startRun(workspace, {
      host,
      tools: [interrupting],
      config: { abortGraceMs: 1 },
      steps: [toolCall("interrupting")],
    });
    expect(await codeOf(execution)).toBe("run.interrupted");
    expect(board.channel(MAIN_CHANNEL).map((message) => message.role)).toEqual(["user", "assistant", "tool"]);
    expect(board.get(SESSION_RESULT)).toMatchObject({ exit_code: 1 });
    expect(host.ofType("session_end")).toHaveLength(1);
  });

  test("the run's signal cancels it", async () => {
    await using workspace = await openWorkspace();
    const controller = new AbortController();
    const cancelling = tool("cancelling", () => {
      controller.abort();
      return "ok";
    });
    const { execution } = startRun(workspace, {
      tools: [waiting, cancelling],
      signal: controller.signal,
      steps: [toolCall("cancelling")],
    });
    expect(await codeOf(execution)).toBe("run.cancelled");
  });

  test.each(["llm.authentication", "llm.server_error", "llm.context_length"] as const)(
    "%s fails the run",
    async (code) => {
      await using workspace = await openWorkspace();
      const { board, execution } = startRun(workspace, {
        turnRetry: false,
        steps: [failure(new EngineError(code, { provider: "p", status: 1 }))],
      });
      expect(await codeOf(execution)).toBe(code);
      expect(board.get(SESSION_RESULT)).toMatchObject({ exit_code: 1, turns: 0 });
    },
  );

  test("publishing that fails does not fail the run", async () => {
    await using workspace = await openWorkspace();
    const { board, execution } = startRun(workspace, {
      steps: [text("done")],
      host: recordingHost({ publishFailure: new Error("no bus") }),
    });
    await execution;
    expect(board.get(SESSION_RESULT)).toMatchObject({ exit_code: 0 });
  });
});

describe("dependencies", () => {
  test("a person steers and follows up through the control source", async () => {
    await using workspace = await openWorkspace();
    const control = controlSource();
    const speaking = tool("speaking", () => {
      control.send({ type: "steer", text: "faster" });
      control.send({ type: "follow_up", text: "and then" });
      return "ok";
    });
    const { host, board, execution } = startRun(workspace, {
      tools: [speaking],
      dependencies: [[DEPENDENCY.control, control]],
      steps: [toolCall("speaking"), text("one"), text("two")],
    });
    await execution;
    expect(host.ofType("steering_injected").map(({ payload }) => payload.content)).toEqual(["faster"]);
    expect(host.ofType("user_input").map(({ payload }) => payload.content)).toEqual(["go", "and then"]);
    expect(board.channel(MAIN_CHANNEL).map(textOf)).toContain("faster");
  });

  test("only the allowed tools are there", async () => {
    await using workspace = await openWorkspace();
    const { client, execution } = startRun(workspace, {
      dependencies: [[DEPENDENCY.toolAllowedNames, ["glob"]]],
      steps: [text("done")],
    });
    await execution;
    expect(client.requests[0]?.tools?.map(({ name }) => name)).toEqual(["glob"]);
  });

  test("the engine declares its capabilities and requirements", () => {
    const engine = createEngine({ client: scriptedClient([]), profile: createAnthropicProfile({ model: "m" }) });
    expect(engine.capabilities?.()).toMatchObject({
      acceptsSteering: true,
      supportsResume: true,
      emitsCheckpoint: true,
      requiredDependencies: ["environment.execution"],
    });
  });
});
