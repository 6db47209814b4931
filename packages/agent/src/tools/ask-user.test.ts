import { EngineError, type UserPrompt, type UserReply } from "@switchyard/contracts";
import { text, toolCall, toolCalls } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf, gate, note, tool, typesOf } from "../../test/run-session.ts";
import { callTool, createAnthropicProfile, createOpenAiProfile, type SessionState } from "../index.ts";

function reply(answer: string): UserReply {
  return { parts: [{ type: "text", text: answer }] };
}

describe("ask_user", () => {
  test("is offered only if a user can be asked", async () => {
    await using workspace = await openWorkspace();
    const names = async (options: object): Promise<string[]> => {
      const { session, client } = createSession(workspace, { steps: [text("hi")], ...options });
      await collect(session.submit("go"));
      return (client.requests[0]?.tools ?? []).map(({ name }) => name);
    };
    const askUser = async (): Promise<UserReply> => reply("x");
    expect(await names({})).not.toContain("ask_user");
    expect(await names({ askUser })).toContain("ask_user");
    expect(await names({ askUser, allowedTools: ["shell"] })).toEqual(["shell"]);
  });

  test("waits for input, and works on with the answer [loop-2.3-4] [loop-2.3-5]", async () => {
    await using workspace = await openWorkspace();
    const states: SessionState[] = [];
    const prompts: UserPrompt[] = [];
    const { session } = createSession(workspace, {
      tools: [tool("state", () => note(states, session.state))],
      steps: [
        toolCall("ask_user", { question: "Which colour?", options: ["red", "blue"] }, { id: "q1" }),
        toolCall("state"),
        text("blue it is"),
      ],
      askUser: async (prompt) => {
        prompts.push(prompt);
        states.push(session.state);
        expect(() => session.submit("meanwhile")).toThrow(expect.objectContaining({ code: "session.busy" }));
        return reply("blue");
      },
    });
    const events = await collect(session.submit("go"));
    expect(states).toEqual(["awaiting_input", "processing"]);
    expect(session.state).toBe("idle");
    expect(prompts).toEqual([
      {
        id: "q1",
        parts: [{ type: "text", text: "Which colour?\n1. red\n2. blue" }],
        schema: { type: "string", enum: ["red", "blue"] },
      },
    ]);
    expect(dataOf(events, "tool_call_end")[0]).toMatchObject({ name: "ask_user", content: "blue", is_error: false });
  });

  test("a session stays at work from one tool round to the next [loop-2.3-3]", async () => {
    await using workspace = await openWorkspace();
    const states: SessionState[] = [];
    const look = (): string => note(states, session.state);
    const { session, client } = createSession(workspace, {
      tools: [tool("note", look)],
      steps: [toolCall("note"), toolCall("note"), toolCall("note"), text("done")],
      onBoundary: async () => void look(),
      reportUsage: async () => void look(),
    });
    for await (const event of session.submit("go")) if (event.type === "assistant_text_start") look();
    expect(client.requests).toHaveLength(4);
    expect(states.length).toBeGreaterThanOrEqual(13);
    expect(new Set(states.slice(0, -1))).toEqual(new Set(["processing"]));
    expect(session.state).toBe("idle");
  });

  test("passes on a schema and the non-text parts of an answer", async () => {
    await using workspace = await openWorkspace();
    const schema = { type: "object", properties: { port: { type: "integer" } } };
    const prompts: UserPrompt[] = [];
    const { session } = createSession(workspace, {
      steps: [toolCall("ask_user", { question: "Port?", schema }), toolCall("ask_user", { question: "?" }), text("ok")],
      askUser: async (prompt) => {
        prompts.push(prompt);
        return prompts.length === 1 ? { parts: [{ type: "data", value: { port: 80 } }] } : { parts: [] };
      },
    });
    const events = await collect(session.submit("go"));
    expect(prompts[0]?.schema).toEqual(schema);
    expect(prompts[1]?.schema).toBeUndefined();
    expect(dataOf(events, "tool_call_end").map(({ content }) => content)).toEqual([
      '{"port":80}',
      "The user gave an empty answer.",
    ]);
  });

  test("reports that no user can answer, and the agent decides itself", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      steps: [toolCall("ask_user", { question: "Which?" }), text("I took the first")],
      askUser: () => Promise.reject(new EngineError("prompt.unavailable")),
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "tool_call_end")[0]).toMatchObject({
      is_error: true,
      content: expect.stringContaining("Nobody can answer questions in this session."),
    });
    expect(dataOf(events, "processing_end")).toMatchObject([{ outcome: "completed" }]);
    const { askUserTool } = await import("./ask-user.ts");
    const profile = createOpenAiProfile({ model: "m", tools: [askUserTool] });
    const { environment } = workspace;
    const outside = await callTool({ profile, environment, name: "ask_user", arguments: { question: "Which?" } });
    expect(outside).toMatchObject({ isError: true, content: expect.stringContaining("Nobody can answer") });
  });

  test("waits for all questions of one answer before it is at work again [loop-2.3-5]", async () => {
    await using workspace = await openWorkspace();
    const second = gate();
    const states: SessionState[] = [];
    const { session } = createSession(workspace, {
      steps: [
        toolCalls([
          { name: "ask_user", arguments: { question: "one?" }, id: "one" },
          { name: "ask_user", arguments: { question: "two?" }, id: "two" },
        ]),
        text("ok"),
      ],
      askUser: async ({ id }) => {
        if (id === "two") await second.opened;
        return reply(id ?? "");
      },
    });
    for await (const event of session.submit("go")) {
      if (event.type !== "tool_call_end") continue;
      states.push(session.state);
      second.open();
    }
    expect(states[0]).toBe("awaiting_input");
    expect(session.history[2]).toMatchObject({ results: [{ content: "one" }, { content: "two" }] });
  });

  test("an abort ends the waiting, and the question has a result", async () => {
    await using workspace = await openWorkspace();
    const requested = gate();
    const { session } = createSession(workspace, {
      steps: [toolCall("ask_user", { question: "Which?" })],
      askUser: () => {
        requested.open();
        return new Promise(() => {});
      },
    });
    const events = collect(session.submit("go"));
    await requested.opened;
    expect(session.state).toBe("awaiting_input");
    expect(session.isWorking).toBe(true);
    await session.abort();
    const types = typesOf(await events);
    expect(types.indexOf("tool_call_end")).toBeLessThan(types.indexOf("session_end"));
    expect(session.state).toBe("closed");
    expect(session.isWorking).toBe(false);
    expect(session.history.at(-1)).toMatchObject({ type: "tool_results", results: [{ isError: true }] });
  });

  test("a resumed run asks the same question again after a crash, under the same id [D4]", async () => {
    await using workspace = await openWorkspace();
    const stored: string[] = [];
    const requested = gate();
    const steps = [toolCall("ask_user", { question: "Which?" }, { id: "q" })];
    const first = createSession(workspace, {
      steps,
      onBoundary: async (boundary) => void stored.push(JSON.stringify(boundary)),
      askUser: () => {
        requested.open();
        return new Promise(() => {});
      },
    });
    first.session.submit("go");
    await requested.opened;
    const ids: unknown[] = [];
    const second = createSession(workspace, {
      profile: createAnthropicProfile({ model: "claude" }),
      steps: [text("thanks")],
      resumeFrom: JSON.parse(stored[0] ?? ""),
      askUser: async ({ id }) => {
        ids.push(id);
        return reply("the second");
      },
    });
    await collect(second.session.resume());
    await first.session.abort();
    expect(ids).toEqual(["q"]);
    expect(second.session.history.slice(-2)).toMatchObject([
      { results: [{ toolCallId: "q", content: "the second", isError: false }] },
      { content: "thanks" },
    ]);
  });
});
