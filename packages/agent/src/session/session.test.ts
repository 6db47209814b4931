import { EngineError } from "@switchyard/contracts";
import { answer, manualClock, reasoning, text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf, textsOf, tool, typesOf } from "../../test/run-session.ts";
import { createAnthropicProfile } from "../index.ts";
import { parseSnapshot } from "../snapshot/parse-snapshot.ts";

describe("the loop", () => {
  test("an input runs through model calls and tools to the natural end [loop-2.5-9] [loop-2.5-11] [loop-2.5-12] [loop-9.1-1] [loop-9.1-2] [loop-9.1-3] [loop-1.2-4] [loop-9.3-1] [loop-2.1-1] [loop-2.2-9] [loop-2.3-1]", async () => {
    await using workspace = await openWorkspace({ "a.txt": "hello" });
    const { session, client } = createSession(workspace, {
      steps: [toolCall("read_file", { file_path: "a.txt" }), text("It says hello.")],
    });
    expect(session.state).toBe("idle");
    expect(session.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(session.config.maxSubagentDepth).toBe(1);
    const events = session.submit("What is in a.txt?");
    expect(session.state).toBe("processing");
    expect(dataOf(await collect(events), "processing_end")).toEqual([{ outcome: "completed", rounds: 1 }]);
    expect(session.state).toBe("idle");
    expect(session.history.map((turn) => turn.type)).toEqual(["user", "assistant", "tool_results", "assistant"]);
    expect(client.requests[1]?.messages.at(-1)?.parts).toMatchObject([
      { type: "tool_result", toolCallId: "call_1", content: "1 | hello", isError: false },
    ]);
    expect(client.remaining).toBe(0);
  });

  test("the images of an input reach the model, also if the session was saved and resumed", async () => {
    await using workspace = await openWorkspace();
    const image = { type: "image", mediaType: "image/png", data: "aGVsbG8=" } as const;
    const { session } = createSession(workspace, { steps: [text("A dot.")] });
    await collect(session.submit({ text: "What is it?", images: [image] }));
    const { session: loaded, client } = createSession(workspace, {
      snapshot: parseSnapshot(JSON.parse(JSON.stringify(session.save()))),
      steps: [text("Red.")],
    });
    await collect(loaded.submit({ text: " ", images: [image] }));
    expect(client.requests[0]?.messages.slice(1).map(({ parts }) => parts)).toEqual([
      [{ type: "text", text: "What is it?" }, image],
      [{ type: "text", text: "A dot." }],
      [image],
    ]);
  });

  test("turns contain their own data [loop-2.4-1] [loop-2.4-2] [loop-2.4-3] [loop-2.4-4] [loop-2.1-2]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      now: manualClock(Date.UTC(2026, 1, 3)).now,
      steps: [answer(reasoning("hm"), text("Look:"), toolCall("echo")), text("done")],
    });
    await collect(session.submit("go"));
    const timestamp = "2026-02-03T00:00:00.000Z";
    expect(session.history).toMatchObject([
      { type: "user", content: "go", timestamp },
      {
        type: "assistant",
        content: "Look:",
        reasoning: "hm",
        toolCalls: [{ id: "call_1", name: "echo" }],
        responseId: "response_1",
        timestamp,
        usage: { totalTokens: expect.any(Number) },
      },
      {
        type: "tool_results",
        results: [{ toolCallId: "call_1", name: "echo", content: "echoed", isError: false }],
        timestamp,
      },
      { type: "assistant", content: "done", toolCalls: [] },
    ]);
  });

  test("each request carries system message, history, tools and the profile's settings [loop-2.5-6] [loop-2.5-7] [loop-2.5-8] [loop-3.2-1] [loop-3.2-3]", async () => {
    await using workspace = await openWorkspace();
    const { session, client } = createSession(workspace, {
      profile: createAnthropicProfile({ model: "claude-x", betaHeaders: ["context-1m"] }),
      steps: [toolCall("echo"), text("done")],
    });
    await collect(session.submit("go"));
    for (const request of client.requests) {
      expect(request).toMatchObject({ model: "claude-x", provider: "anthropic", toolChoice: "auto" });
      expect(request.messages.map((message) => message.role)).toEqual(expect.arrayContaining(["system", "user"]));
      expect(request.messages.filter((message) => message.role === "system")).toHaveLength(1);
      expect(request.messages[0]?.role).toBe("system");
      expect(request.providerOptions).toEqual({ anthropic: { betaHeaders: ["context-1m"] } });
      expect(request.tools?.map(({ name }) => name)).toEqual([
        "read_file",
        "write_file",
        "edit_file",
        "shell",
        "shell_output",
        "shell_kill",
        "grep",
        "glob",
        "spawn_agent",
        "send_input",
        "wait",
        "close_agent",
        "echo",
      ]);
    }
    expect(client.requests[0]?.messages[0]).toEqual(client.requests[1]?.messages[0]);
  });

  test("a second input continues from the first [loop-9.1-8] [loop-2.3-2] [loop-2.3-6]", async () => {
    await using workspace = await openWorkspace();
    const { session, client } = createSession(workspace, { steps: [text("one"), text("two")] });
    await collect(session.submit("first"));
    await collect(session.submit("second"));
    expect(textsOf(client.requests[1], "user")).toEqual(["first", "second"]);
    expect(textsOf(client.requests[1], "assistant")).toEqual(["one"]);
  });

  test("the loop uses complete if the profile does not stream [loop-1.4-1]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      profile: createAnthropicProfile({ model: "m", supportsStreaming: false }),
      steps: [text("whole")],
    });
    const events = await collect(session.submit("go"));
    expect(events.some((event) => event.type === "assistant_text_delta")).toBe(false);
    expect(typesOf(events)).toEqual([
      "session_start",
      "user_input",
      "assistant_text_start",
      "assistant_text_end",
      "usage_reported",
      "processing_end",
    ]);
  });

  test("a busy session rejects a second input, and a closed session rejects every input [loop-2.3-8] [loop-2.3-10]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, { steps: [text("one")] });
    const events = session.submit("first");
    expect(() => session.submit("second")).toThrow(new EngineError("session.busy"));
    await collect(events);
    await session.close();
    expect(session.state).toBe("closed");
    expect(() => session.submit("third")).toThrow(new EngineError("session.closed"));
    expect(() => session.steer("x")).toThrow(new EngineError("session.closed"));
  });

  test("a session works if its events are not read", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, { steps: [toolCall("echo"), text("done")] });
    session.submit("go");
    await session.settled();
    expect(session.history).toHaveLength(4);
  });
});

describe("changes between turns", () => {
  test("effort, model and timeouts apply to the very next call [loop-1.2-2] [loop-2.2-6] [loop-2.7-1] [loop-2.7-3] [loop-9.7-1] [loop-9.7-2] [loop-9.7-3]", async () => {
    await using workspace = await openWorkspace();
    const change = tool("change", () => {
      session.config.reasoningEffort = "xhigh";
      session.config.model = "claude-next";
      return "changed";
    });
    const { session, client } = createSession(workspace, {
      tools: [change],
      config: { reasoningEffort: "low" },
      steps: [toolCall("change"), text("a"), text("b")],
    });
    await collect(session.submit("go"));
    session.config.reasoningEffort = null;
    await collect(session.submit("on"));
    expect(client.requests.map(({ reasoningEffort }) => reasoningEffort)).toEqual(["low", "xhigh", null]);
    expect(client.requests.map(({ model }) => model)).toEqual(["claude", "claude-next", "claude-next"]);
  });
});

describe("questions", () => {
  test("an open-ended response is not a question unless the host classifies it as one [loop-2.3-4]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, { steps: [text("Which file do you mean?")] });
    await collect(session.submit("go"));
    expect(session.state).toBe("idle");
  });

  test("a question waits for the answer, which continues the work [loop-2.3-4] [loop-2.3-5]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      isQuestion: (said) => said.startsWith("ASK"),
      steps: [text("ASK which?"), text("done")],
    });
    const events = await collect(session.submit("go"));
    expect(session.state).toBe("awaiting_input");
    expect(dataOf(events, "processing_end")).toEqual([{ outcome: "input_required", rounds: 0 }]);
    const answering = session.submit("that one");
    expect(session.state).toBe("processing");
    await collect(answering);
    expect(session.state).toBe("idle");
  });
});
