import { inertEnvironment } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { call, textParts } from "../../test/family-client.ts";
import { familySession, resultsIn, resultTextsOf } from "../../test/family-session.ts";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, dataOf, gate, textsOf, tool } from "../../test/run-session.ts";
import { callTool, createProfile, PROFILE_FAMILIES } from "../index.ts";

const spawn = (task: string, args: Readonly<Record<string, unknown>> = {}) =>
  ["spawn_agent", { task, ...args }] as const;
const wait = (agent_id: string, args: Readonly<Record<string, unknown>> = {}) =>
  ["wait", { agent_id, ...args }] as const;

describe("a subagent", () => {
  test("receives a task, works on the same files in its own loop, and returns its result [loop-7.1-1] [loop-7.2-1] [loop-9.9-1] [loop-7.2-6] [loop-7.3-3] [loop-9.9-2] [loop-9.9-5]", async () => {
    await using workspace = await openWorkspace({ "a.txt": "alpha\n" });
    const { session } = familySession({
      environment: workspace.environment,
      scripts: {
        go: [call(spawn("copy")), call(wait("agent-1")), textParts("all done")],
        copy: [
          call(["read_file", { file_path: "a.txt" }]),
          call(["write_file", { file_path: "b.txt", content: "alpha" }]),
          textParts("it is copied"),
        ],
      },
    });
    const events = await collect(session.submit("go"));
    expect(await workspace.read("b.txt")).toBe("alpha");
    const ends = dataOf(
      events.filter(({ agentId }) => agentId === undefined),
      "tool_call_end",
    );
    expect(ends.map(({ details }) => details)).toEqual([
      { agent_id: "agent-1", status: "running" },
      { agent_id: "agent-1", status: "completed", output: "it is copied", success: true, turns_used: 3 },
    ]);
    expect(resultsIn(session).map(({ content }) => content)).toEqual([
      "Started agent-1. Status: running. Use wait to get its result.",
      "agent-1 completed after 3 turns.\n\nit is copied",
    ]);
  });

  test("has a separate history, and its parent's profile, instructions and tools [loop-7.3-2] [loop-7.3-5] [loop-9.9-3]", async () => {
    const { session, client } = familySession({
      environment: inertEnvironment(),
      instructions: "Be brief.",
      tools: [tool("echo", () => "echoed")],
      scripts: {
        go: [call(spawn("think")), call(wait("agent-1")), textParts("all done")],
        think: [call(["echo", {}]), textParts("thought")],
      },
    });
    await collect(session.submit("go"));
    const own = client.requests.filter(({ input }) => input === "think").map(({ request }) => request);
    expect(textsOf(own[1], "user")).toEqual(["think"]);
    expect(own[1]?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(textsOf(own[0], "system")[0]).toContain("Be brief.");
    expect([own[0]?.provider, own[0]?.model]).toEqual(["anthropic", "claude"]);
    const parents = client.requests.filter(({ input }) => input === "go").map(({ request }) => request);
    expect(parents.at(-1)?.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      ...["assistant", "tool"],
      ...["assistant", "tool"],
    ]);
    const names = (tools: typeof own) => tools[0]?.tools?.map(({ name }) => name) ?? [];
    expect(names(own)).toEqual(names(parents).filter((name) => !/agent|wait|send_input/.test(name)));
  });

  test("works beside others, and its parent knows them by id while they run [loop-7.1-2] [loop-2.1-4] [loop-7.3-1]", async () => {
    const both = gate();
    const meeting = new Set<string>();
    const { session } = familySession({
      environment: inertEnvironment(),
      scripts: {
        go: [call(spawn("one"), spawn("two")), call(wait("agent-1"), wait("agent-2")), textParts("all done")],
        one: [textParts("first")],
        two: [],
      },
      onCall: async (input) => {
        if (input === "go") return;
        meeting.add(input);
        if (meeting.size === 2) both.open();
        await both.opened;
      },
    });
    const statuses: unknown[] = [];
    for await (const event of session.submit("go")) {
      if (event.type === "subagent_started") {
        statuses.push(Array.from(session.subagents.values(), ({ id, status }) => [id, status]).at(-1));
      }
    }
    expect(meeting).toEqual(new Set(["one", "two"]));
    expect(statuses).toEqual([
      ["agent-2", "running"],
      ["agent-2", "running"],
    ]);
    expect(Array.from(session.subagents, ([id, { status }]) => [id, status])).toEqual([
      ["agent-1", "completed"],
      ["agent-2", "failed"],
    ]);
    expect(resultTextsOf(session, "wait")[1]).toMatch(/^agent-2 failed after 0 turns: .*has no answer number 1/);
    // The parent's loop continues even if a child fails.
    expect(session.history.at(-1)).toMatchObject({ content: "all done" });
  });

  test("may have another model and a limit on its turns; neither changes for its parent [loop-7.2-3] [loop-7.2-4]", async () => {
    const many = Array.from({ length: 30 }, () => call(["echo", {}]));
    const { session, client } = familySession({
      environment: inertEnvironment(),
      tools: [tool("echo", () => "echoed")],
      config: { maxTurns: 5, enableLoopDetection: false },
      scripts: {
        go: [
          call(spawn("short", { model: "claude-small", max_turns: 2 }), spawn("long")),
          call(wait("agent-1"), wait("agent-2")),
          textParts("all done"),
        ],
        short: many,
        long: [...many, textParts("at last")],
      },
    });
    const events = await collect(session.submit("go"));
    const models = (input: string) =>
      new Set(client.requests.filter((asked) => asked.input === input).map(({ request }) => request.model));
    expect([models("short"), models("long"), models("go")]).toEqual([
      new Set(["claude-small"]),
      new Set(["claude"]),
      new Set(["claude"]),
    ]);
    expect(events.filter(({ type }) => type === "turn_limit").map(({ agentId }) => agentId)).toEqual(["agent-1"]);
    const [short, long] = Array.from(session.subagents.values(), ({ result }) => result);
    expect(short).toMatchObject({ status: "failed", success: false, turns_used: 2 });
    expect(short?.problem).toMatch(/limit/);
    expect(long).toMatchObject({ status: "completed", turns_used: 31, output: "at last" });
  });

  test("cannot spawn at the maximum depth, neither by a tool that is not offered nor by an invented one [loop-7.3-4] [loop-9.9-4]", async () => {
    const scripts = {
      go: [call(spawn("child")), call(wait("agent-1")), textParts("all done")],
      child: [call(spawn("grandchild")), textParts("could not")],
      grandchild: [textParts("hello")],
    };
    const { session, client } = familySession({ environment: inertEnvironment(), scripts });
    await collect(session.submit("go"));
    const child = session.subagents.get("agent-1")?.session;
    expect(child?.history.at(-2)).toMatchObject({
      results: [{ isError: true, content: expect.stringMatching(/^Unknown tool: spawn_agent/) }],
    });
    expect(client.requests.some(({ input }) => input === "grandchild")).toBe(false);
  });

  test("at a greater depth spawns its own, whose events reach the root under their own names [loop-7.3-4]", async () => {
    const scripts = {
      go: [call(spawn("child")), call(wait("agent-1")), textParts("all done")],
      child: [call(spawn("grandchild")), call(wait("agent-1-1")), textParts("it was told")],
      grandchild: [call(spawn("nobody")), textParts("told")],
    };
    const { session } = familySession({ environment: inertEnvironment(), scripts, config: { maxSubagentDepth: 2 } });
    const events = await collect(session.submit("go"));
    expect(session.history.at(-1)).toMatchObject({ content: "all done" });
    const said = events.filter(({ type }) => type === "assistant_text_end");
    expect(said.map(({ agentId }) => agentId).sort()).toEqual([
      ...["agent-1", "agent-1", "agent-1"],
      ...["agent-1-1", "agent-1-1"],
      ...[undefined, undefined, undefined],
    ]);
    expect(dataOf(events, "subagent_ended").map(({ agent_id }) => agent_id)).toEqual(["agent-1-1", "agent-1"]);
  });

  test("is rejected at the maximum number of running children, and accepted again once one is done", async () => {
    const { opened, open } = gate();
    const { session } = familySession({
      environment: inertEnvironment(),
      config: { maxSubagents: 1 },
      scripts: {
        go: [call(spawn("one")), call(spawn("two")), call(wait("agent-1")), call(spawn("two")), textParts("all done")],
        one: [textParts("first")],
        two: [textParts("second")],
      },
      onCall: async (input, { messages }) => {
        if (input === "one") await opened;
        if (input === "go" && messages.length > 4) open();
      },
    });
    await collect(session.submit("go"));
    expect(resultTextsOf(session, "spawn_agent")).toEqual([
      expect.stringMatching(/^Started agent-1/),
      expect.stringMatching(/The limit of 1 running subagents was reached\.\nWait for one/),
      expect.stringMatching(/^Started agent-2/),
    ]);
  });

  test("asks for approvals and reports usage under its own name, and hooks receive the name", async () => {
    const asked: (string | undefined)[] = [];
    const hooked: (string | undefined)[] = [];
    const usages: (string | undefined)[] = [];
    const { session } = familySession({
      environment: inertEnvironment(),
      tools: [tool("echo", () => "echoed")],
      approve: ({ agentId, tool: name }) => {
        if (name === "echo") asked.push(agentId);
        return { decision: "allow", decidedBy: "rule" };
      },
      hooks: { beforeModelCall: (_, { agentId }) => void hooked.push(agentId) },
      reportUsage: async ({ responseId }) => void usages.push(responseId),
      scripts: {
        go: [call(spawn("child"), ["echo", {}]), call(wait("agent-1")), textParts("all done")],
        child: [call(["echo", {}]), textParts("done")],
      },
    });
    await collect(session.submit("go"));
    expect(asked.sort()).toEqual(["agent-1", undefined]);
    expect(hooked.filter((agentId) => agentId === "agent-1")).toHaveLength(2);
    expect(usages.sort()).toEqual(["agent-1/answer-1", "agent-1/answer-2", "answer-1", "answer-2", "answer-3"]);
  });

  test("counts towards the limit on the tokens of the whole family", async () => {
    const { session } = familySession({
      environment: inertEnvironment(),
      tools: [tool("echo", () => "echoed")],
      config: { maxTotalTokens: 150, enableLoopDetection: false },
      scripts: {
        go: [call(spawn("child")), call(wait("agent-1")), textParts("never")],
        child: Array.from({ length: 20 }, () => call(["echo", {}])),
      },
    });
    const events = await collect(session.submit("go"));
    expect(events.filter(({ type }) => type === "turn_limit").map(({ agentId }) => agentId)).toEqual([
      "agent-1",
      undefined,
    ]);
  });
});

describe("the tools of subagents", () => {
  test.each(PROFILE_FAMILIES)(
    "are part of the profile %s, and declare that they need a session [loop-7.2-1]",
    async (family) => {
      const profile = createProfile(family, { model: "m" });
      const names = ["spawn_agent", "send_input", "wait", "close_agent"];
      expect(profile.tools().map(({ name }) => name)).toEqual(expect.arrayContaining(names));
      const environment = inertEnvironment();
      const result = await callTool({ profile, environment, name: "spawn_agent", arguments: { task: "x" } });
      expect([result.isError, result.content]).toEqual([true, expect.stringMatching(/only works inside a session/)]);
    },
  );

  test("are not offered to a session that may have no subagents", () => {
    const { session } = familySession({
      environment: inertEnvironment(),
      scripts: {},
      config: { maxSubagentDepth: 0 },
    });
    expect(session.toolRegistry.names().filter((name) => /agent|wait/.test(name))).toEqual([]);
  });
});
