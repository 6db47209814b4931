import { EngineError, type UserPrompt, type UserReply } from "@switchyard/contracts";
import { text, toolCall, toolCalls } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, counting, createSession, dataOf, gate, note, tool, typesOf } from "../../test/run-session.ts";
import { type ApprovalRequest, type ApproveToolCall, createAnthropicProfile, createApprovalPolicy } from "../index.ts";

const allow: ApproveToolCall = () => ({ decision: "allow", decidedBy: "host" });

function textOf(prompt: UserPrompt): string {
  return prompt.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function reply(answer: string): UserReply {
  return { parts: [{ type: "text", text: answer }] };
}

describe("a host that decides about calls", () => {
  test("is called between validation and execution, with the data of the call [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const requests: ApprovalRequest[] = [];
    const echo = counting("echo", "readonly");
    const { session } = createSession(workspace, {
      tools: [echo],
      steps: [
        toolCalls([
          { name: "echo", arguments: { a: 1 }, id: "good" },
          { name: "echo", arguments: "{", id: "bad" },
          { name: "nothing", arguments: {}, id: "unknown" },
        ]),
        text("done"),
      ],
      approve: (request) => {
        expect(echo.calls).toBe(0);
        requests.push(request);
        return { decision: "allow", decidedBy: "host" };
      },
    });
    const events = await collect(session.submit("go"));
    expect(requests).toEqual([
      expect.objectContaining({
        callId: "good",
        tool: "echo",
        args: { a: 1 },
        effects: "readonly",
        sessionId: session.id,
      }),
    ]);
    expect(echo.calls).toBe(1);
    expect(dataOf(events, "approval_decided")).toEqual([
      { tool_call_id: "good", name: "echo", decision: "allow", decided_by: "host" },
    ]);
    const order = typesOf(events);
    expect(order.indexOf("tool_call_start")).toBeLessThan(order.indexOf("approval_decided"));
  });

  test("denies with a reason for the model, and the history stays valid [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const echo = counting("echo");
    const { session, client } = createSession(workspace, {
      tools: [echo],
      steps: [toolCall("echo"), text("all right")],
      approve: () => ({ decision: "deny", decidedBy: "host", reason: "not on a Sunday" }),
    });
    const events = await collect(session.submit("go"));
    expect(echo.calls).toBe(0);
    expect(dataOf(events, "approval_decided")).toEqual([
      { tool_call_id: "call_1", name: "echo", decision: "deny", decided_by: "host", reason: "not on a Sunday" },
    ]);
    expect(dataOf(events, "tool_call_end")[0]).toMatchObject({
      is_error: true,
      content: "The tool echo was not allowed: not on a Sunday\nAsk for permission or use another tool.",
      details: { error: { code: "tool.denied", class: "policy_denied" } },
    });
    expect(client.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", parts: [{ toolCallId: "call_1" }] });
    expect(session.history.at(-1)).toMatchObject({ content: "all right" });
  });

  test.each<[string, ApproveToolCall]>([
    ["throws", () => Promise.reject(new Error("no line"))],
    [
      "throws at once",
      () => {
        throw new Error("no line");
      },
    ],
    ["says nothing", () => JSON.parse("null")],
    ["says something else", () => JSON.parse('{"decision":"perhaps"}')],
  ])("denies when it %s [loop-8-4]", async (_, approve) => {
    await using workspace = await openWorkspace();
    const echo = counting("echo");
    const { session } = createSession(workspace, { tools: [echo], steps: [toolCall("echo"), text("done")], approve });
    const events = await collect(session.submit("go"));
    expect(echo.calls).toBe(0);
    expect(dataOf(events, "approval_decided")).toMatchObject([{ decision: "deny" }]);
    expect(dataOf(events, "tool_call_end")[0]?.content).toContain("was not allowed");
  });

  test("that never answers does not prevent a session from closing [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const requested = gate();
    const echo = counting("echo");
    const { session } = createSession(workspace, {
      tools: [echo],
      steps: [toolCall("echo")],
      approve: () => {
        requested.open();
        return new Promise(() => {});
      },
    });
    const events = collect(session.submit("go"));
    await requested.opened;
    await session.abort();
    expect(dataOf(await events, "tool_call_end")).toMatchObject([{ cancelled: true }]);
    expect(session.state).toBe("closed");
    expect(echo.calls).toBe(0);
  });

  test("decides before the lease is checked, and the wait does not count as the call's time [loop-8-4] [D6]", async () => {
    await using workspace = await openWorkspace();
    const order: string[] = [];
    let now = 0;
    const { session } = createSession(workspace, {
      now: () => now,
      tools: [tool("echo", () => note(order, "run"))],
      steps: [toolCall("echo"), text("done")],
      beforeEffect: async () => void order.push("effect"),
      approve: (request, context) => {
        order.push("approve");
        now += 60_000;
        return allow(request, context);
      },
    });
    const events = await collect(session.submit("go"));
    expect(order).toEqual(["approve", "effect", "run"]);
    expect(dataOf(events, "tool_call_end")[0]?.duration_ms).toBe(0);
  });
});

describe("a policy", () => {
  test("knows tools, files and commands also under a vendor's names [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      profile: createAnthropicProfile({ model: "claude", toolNames: "native" }),
      approve: createApprovalPolicy({
        rules: [
          { tool: "write_file", path: "secrets/**", outcome: "deny" },
          { tool: "Write", outcome: "allow" },
          { command: "echo", outcome: "allow" },
        ],
        otherwise: "deny",
      }),
      steps: [
        toolCalls([
          { name: "Write", arguments: { file_path: "./secrets/key", content: "" } },
          { name: "Write", arguments: { file_path: "open", content: "" } },
          { name: "Bash", arguments: { command: "echo hi" } },
          { name: "Bash", arguments: { command: "echo hi; id" } },
        ]),
        text("done"),
      ],
    });
    const events = await collect(session.submit("go"));
    const decided = dataOf(events, "approval_decided");
    const of = (id: string): string | undefined => decided.find(({ tool_call_id }) => tool_call_id === id)?.decision;
    expect(["call_1", "call_2", "call_3", "call_4"].map(of)).toEqual(["deny", "allow", "allow", "deny"]);
  });
});

describe("a policy that asks", () => {
  const policy = createApprovalPolicy({ rules: [{ tool: "free", outcome: "allow" }] });

  test("asks about one call at a time, in their order, while allowed ones run [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const ran: string[] = [];
    const freed = gate();
    const free = tool("free", () => {
      ran.push("free");
      freed.open();
      return "";
    });
    const requests: string[] = [];
    let waiting = 0;
    const { session } = createSession(workspace, {
      approve: policy,
      tools: [free, tool("first", () => note(ran, "first")), tool("second", () => note(ran, "second"))],
      steps: [
        toolCalls([
          { name: "first", arguments: {} },
          { name: "nothing", arguments: {} },
          { name: "second", arguments: {} },
          { name: "free", arguments: {} },
        ]),
        text("done"),
      ],
      askUser: async (prompt) => {
        waiting += 1;
        expect(waiting).toBe(1);
        await freed.opened;
        requests.push(/tool (\w+)/.exec(textOf(prompt))?.[1] ?? "");
        waiting -= 1;
        return reply(requests.length === 1 ? "deny" : "allow_once");
      },
    });
    const events = await collect(session.submit("go"));
    expect(requests).toEqual(["first", "second"]);
    expect(ran).toEqual(["free", "second"]);
    const results = session.history[2];
    expect(results?.type === "tool_results" && results.results.map(({ name, isError }) => [name, isError])).toEqual([
      ["first", true],
      ["nothing", true],
      ["second", false],
      ["free", false],
    ]);
    expect(dataOf(events, "approval_decided").map(({ name, decided_by }) => [name, decided_by])).toEqual([
      ["free", "rule"],
      ["first", "user"],
      ["second", "user"],
    ]);
  });

  test("denies if the session cannot ask a user, and the agent continues [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, { approve: policy, steps: [toolCall("echo"), text("then not")] });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "tool_call_end")[0]?.content).toContain("no user can be asked for approval");
    expect(dataOf(events, "processing_end")).toEqual([{ outcome: "completed", rounds: 1 }]);
  });

  test("stays at work while it waits: only a question of the model is one for the session's state [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const states: string[] = [];
    const { session } = createSession(workspace, {
      approve: policy,
      steps: [toolCall("echo"), text("done")],
      askUser: async () => {
        states.push(session.state);
        return reply("allow_once");
      },
    });
    await collect(session.submit("go"));
    expect(states).toEqual(["processing"]);
  });

  test("asks again about a call that is made again, and not about one whose outcome is known [loop-8-4] [D4]", async () => {
    await using workspace = await openWorkspace();
    const stored: string[] = [];
    const setup = {
      approve: createApprovalPolicy({ rules: [] }),
      tools: [counting("again", "idempotent")],
    };
    const first = createSession(workspace, {
      ...setup,
      steps: [toolCall("again"), toolCall("again"), text("never")],
      askUser: async () => reply("allow_once"),
      onBoundary: async (boundary) => {
        stored.push(JSON.stringify(boundary));
        if (stored.length === 3) throw new EngineError("run.interrupted", { cause: "test" });
      },
    });
    await collect(first.session.submit("go"));
    let requests = 0;
    const second = createSession(workspace, {
      ...setup,
      steps: [text("done")],
      resumeFrom: JSON.parse(stored[2] ?? ""),
      askUser: async () => {
        requests += 1;
        return reply("allow_once");
      },
    });
    await collect(second.session.resume());
    expect(requests).toBe(1);
    expect(second.session.history.at(-1)).toMatchObject({ content: "done" });
  });
});
