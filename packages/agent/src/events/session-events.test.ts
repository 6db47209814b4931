import { EngineError } from "@switchyard/contracts";
import { answer, failure, reasoning, scriptedClient, text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf, tool, typesOf } from "../../test/run-session.ts";
import { createAnthropicProfile, createOpenAiProfile, Session } from "../index.ts";

describe("events", () => {
  test("every event has kind, time, session and data, in the order in which things happened [loop-2.9-1] [loop-2.9-2] [loop-2.9-3] [loop-2.5-1] [loop-2.5-21] [loop-2.5-25] [loop-1.2-1] [loop-9.10-2]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, { steps: [toolCall("echo"), text("done")] });
    const events = await collect(session.submit("go"));
    expect(typesOf(events)).toEqual([
      "session_start",
      "user_input",
      "assistant_text_start",
      "assistant_text_end",
      "usage_reported",
      "tool_call_start",
      "tool_call_end",
      "assistant_text_start",
      "assistant_text_end",
      "usage_reported",
      "processing_end",
    ]);
    for (const event of events) {
      expect(event.sessionId).toBe(session.id);
      expect(new Date(event.timestamp).toISOString()).toBe(event.timestamp);
    }
    expect(session.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  });

  test("the increments of an answer joined together are its text [loop-2.5-10] [loop-2.9-5] [loop-2.9-6]", async () => {
    await using workspace = await openWorkspace();
    const output = "A longer answer, in increments – with ünïcode 😀.";
    const { session } = createSession(workspace, { steps: [answer(reasoning("because"), text(output))] });
    const events = await collect(session.submit("go"));
    const types = events.map((event) => event.type);
    expect(types.indexOf("assistant_text_start")).toBeLessThan(types.indexOf("assistant_text_delta"));
    expect(types.lastIndexOf("assistant_text_delta")).toBeLessThan(types.indexOf("assistant_text_end"));
    expect(
      dataOf(events, "assistant_text_delta")
        .map(({ content }) => content)
        .join(""),
    ).toBe(output);
    expect(
      dataOf(events, "reasoning_delta")
        .map(({ content }) => content)
        .join(""),
    ).toBe("because");
    expect(dataOf(events, "assistant_text_end")).toEqual([
      { content: output, reasoning: "because", finish_reason: "stop" },
    ]);
  });

  test("a tool that streams shows its output between start and end [loop-2.9-7]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      steps: [toolCall("shell", { command: "echo streamed" }), text("done")],
    });
    const events = typesOf(await collect(session.submit("go")));
    const start = events.indexOf("tool_call_start");
    expect(events.slice(start, start + 3)).toEqual(["tool_call_start", "tool_call_output_delta", "tool_call_end"]);
  });

  test("the end event has the whole output, the model the cut one [loop-2.5-26] [loop-2.9-8] [loop-9.10-3] [loop-9.13-2]", async () => {
    await using workspace = await openWorkspace({ "big.txt": "x".repeat(100_000) });
    const { session, client } = createSession(workspace, {
      steps: [toolCall("read_file", { file_path: "big.txt" }), text("done")],
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "tool_call_end")[0]?.content).toBe(`1 | ${"x".repeat(100_000)}`);
    const [result] = client.requests[1]?.messages.at(-1)?.parts ?? [];
    expect(result?.type === "tool_result" && result.content).toContain("[WARNING: Tool output was truncated.");
    expect(result?.type === "tool_result" && result.content.length).toBeLessThanOrEqual(50_000);
  });

  test("the end event of a command that prints a megabyte contains the whole output if nothing else stores it [loop-2.9-8] [loop-9.10-3]", async () => {
    await using workspace = await openWorkspace({ "big.txt": "0123456789\n".repeat(100_000) });
    const { session, client } = createSession(workspace, {
      steps: [toolCall("shell", { command: "cat big.txt big.txt >&2; cat big.txt" }), text("done")],
    });
    const [ended] = dataOf(await collect(session.submit("go")), "tool_call_end");
    expect(ended?.content.startsWith("0123456789\n".repeat(300_000))).toBe(true);
    const [result] = client.requests[1]?.messages.at(-1)?.parts ?? [];
    expect(result?.type === "tool_result" && result.content.length).toBeLessThanOrEqual(30_000);
  });

  test("a subscription sees all inputs, bracketed by start and end of the session [loop-2.9-3] [loop-2.9-4] [loop-9.10-4]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, { steps: [text("one"), text("two")] });
    const all = session.events();
    await collect(session.submit("a"));
    await collect(session.submit("b"));
    await session.close();
    const events = await collect(all);
    expect(events[0]).toMatchObject({
      type: "session_start",
      data: { session_id: session.id, model: "anthropic/claude" },
    });
    expect(dataOf(events, "user_input")).toEqual([{ content: "a" }, { content: "b" }]);
    expect(events.at(-1)).toMatchObject({ type: "session_end", data: { session_id: session.id, state: "closed" } });
  });

  test("a slow reader loses no event of a burst [loop-2.9-2]", async () => {
    await using workspace = await openWorkspace();
    const output = Array.from({ length: 20_000 }, (_, index) => String(index % 10)).join("");
    const client = scriptedClient([text(output)], { chunkSize: 1 });
    const session = new Session({
      profile: createAnthropicProfile({ model: "m" }),
      environment: workspace.environment,
      client,
    });
    const events = session.submit("go");
    await session.settled();
    const deltas = dataOf(await collect(events), "assistant_text_delta");
    expect(deltas).toHaveLength(20_000);
    expect(deltas.map(({ content }) => content).join("")).toBe(output);
  });

  test("increments that pile up are joined, and none of them is lost", async () => {
    await using workspace = await openWorkspace();
    const output = "0123456789".repeat(5_000);
    const client = scriptedClient([text(output)], { chunkSize: 1 });
    const session = new Session({
      profile: createAnthropicProfile({ model: "m" }),
      environment: workspace.environment,
      client,
    });
    const events = session.submit("go");
    await session.settled();
    const deltas = dataOf(await collect(events), "assistant_text_delta");
    expect(deltas.length).toBeLessThanOrEqual(32_768);
    expect(deltas.map(({ content }) => content).join("")).toBe(output);
  });

  test("each answer's usage is reported, and summed up in the session", async () => {
    await using workspace = await openWorkspace();
    const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
    const { session } = createSession(workspace, {
      steps: [
        { ...toolCall("echo"), usage },
        { ...text("done"), usage },
      ],
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "usage_reported")).toEqual([
      { response_id: "response_1", usage },
      { response_id: "response_2", usage },
    ]);
    expect(session.usage).toMatchObject({ inputTokens: 20, outputTokens: 10, totalTokens: 30 });
  });
});

describe("context", () => {
  test("the host is warned once above 80 percent, and nothing else changes [loop-5.5-1] [loop-5.5-2] [loop-5.5-3] [loop-2.9-9]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      profile: createOpenAiProfile({ model: "m", contextWindowTokens: 1_000 }),
      tools: [tool("long", () => "x".repeat(3_300))],
      steps: [text("short"), toolCall("long"), toolCall("long"), text("done")],
    });
    expect(dataOf(await collect(session.submit("go")), "warning")).toEqual([]);
    const warnings = dataOf(await collect(session.submit("on")), "warning");
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.message).toMatch(/^Context usage at ~8\d% of context window$/);
    expect(session.history).toHaveLength(8);
  });

  test("a conversation that is too long for the model does not make the session unusable [loop-2.8-4] [loop-9.11-4] [loop-B-10]", async () => {
    await using workspace = await openWorkspace();
    const error = new EngineError("llm.context_length", { model: "m", problem: "too long" });
    const { session } = createSession(workspace, { steps: [failure(error), text("shorter")] });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "warning")[0]).toMatchObject({ kind: "context_length" });
    expect(dataOf(events, "error")).toEqual([]);
    expect(session.state).toBe("idle");
    await collect(session.submit("on"));
    expect(session.state).toBe("idle");
  });
});
