import type { RegisteredTool } from "@switchyard/contracts";
import { text, toolCall, toolCalls } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf, gate, tool, typesOf } from "../../test/run-session.ts";
import { createAnthropicProfile, createProfile, PROFILE_FAMILIES } from "../index.ts";

describe("tools", () => {
  const slow = (name: string, opened: Promise<void>): RegisteredTool => tool(name, () => opened.then(() => name));

  test("calls of one response run concurrently; results are in the order of the calls [loop-2.5-18] [loop-2.5-20] [loop-9.3-5]", async () => {
    await using workspace = await openWorkspace();
    const second = gate();
    const first = tool("first", async () => {
      second.open();
      return "first";
    });
    const { session } = createSession(workspace, {
      tools: [slow("waiting", second.opened), first],
      steps: [
        toolCalls([
          { name: "waiting", arguments: {} },
          { name: "first", arguments: {} },
        ]),
        text("done"),
      ],
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "tool_call_end").map(({ name }) => name)).toEqual(["first", "waiting"]);
    const turn = session.history[2];
    expect(turn?.type === "tool_results" && turn.results.map(({ content }) => content)).toEqual(["waiting", "first"]);
  });

  test("any number of calls run side by side without a warning of the platform [loop-2.5-18]", async () => {
    await using workspace = await openWorkspace();
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    const calls = Array.from({ length: 40 }, (_, index) => ({
      name: "shell",
      arguments: { command: `echo ${index}` },
    }));
    const { session } = createSession(workspace, { steps: [toolCalls(calls), text("done")] });
    const ends = dataOf(await collect(session.submit("go")), "tool_call_end");
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", onWarning);
    expect(ends).toHaveLength(40);
    expect(ends.every((end) => end.is_error === false)).toBe(true);
    expect(warnings.map(({ message }) => message)).toEqual([]);
  });

  test("a call is looked up, validated, run, cut, announced and answered, in this order [loop-3.8-3]", async () => {
    await using workspace = await openWorkspace();
    const order: string[] = [];
    const probe: RegisteredTool = {
      definition: { name: "probe", description: "", parameters: { type: "object", required: ["a"] } },
      execute: () => {
        order.push("run");
        return "x".repeat(40_000);
      },
    };
    const { session } = createSession(workspace, {
      tools: [probe],
      steps: [toolCall("probe"), toolCall("probe", { a: 1 }), text("done")],
    });
    for await (const event of session.submit("go")) {
      if (event.type === "tool_call_end")
        order.push(`end ${event.data.is_error} ${event.data.content.length > 30_000}`);
    }
    expect(order.filter((step) => step === "run")).toHaveLength(1);
    expect(order).toContain("end true false");
    expect(order.indexOf("run")).toBeLessThan(order.indexOf("end false true"));
    const last = session.history.findLast((turn) => turn.type === "tool_results");
    expect(last?.type === "tool_results" && last.results[0]?.content.length).toBeLessThanOrEqual(30_000);
  });

  test("calls run one after the other if the profile allows no concurrency [loop-2.5-19]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      profile: createAnthropicProfile({ model: "m", supportsParallelToolCalls: false }),
      steps: [
        toolCalls([
          { name: "echo", arguments: {} },
          { name: "echo", arguments: {} },
        ]),
        text("done"),
      ],
    });
    const events = typesOf(await collect(session.submit("go"))).filter((type) => type.startsWith("tool_call"));
    expect(events).toEqual(["tool_call_start", "tool_call_end", "tool_call_start", "tool_call_end"]);
  });

  test("a failure of a call is a result, and the loop continues [loop-2.5-22] [loop-2.5-23] [loop-2.5-24] [loop-9.11-1] [loop-B-1]", async () => {
    await using workspace = await openWorkspace();
    const { session, client } = createSession(workspace, {
      tools: [tool("broken", () => Promise.reject(new Error("no luck")))],
      steps: [
        toolCalls([
          { name: "nonsense", arguments: {} },
          { name: "read_file", arguments: "{half" },
          { name: "read_file", arguments: {} },
          { name: "broken", arguments: {} },
        ]),
        text("recovered"),
      ],
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "tool_call_end").map(({ is_error }) => is_error)).toEqual([true, true, true, true]);
    const contents = client.requests[1]?.messages
      .at(-1)
      ?.parts.map((part) => part.type === "tool_result" && part.content);
    expect(contents?.[0]).toContain("Unknown tool: nonsense");
    expect(contents?.[1]).toContain("Invalid arguments for tool: read_file");
    expect(contents?.[2]).toContain("Invalid arguments for tool: read_file");
    expect(contents?.[3]).toBe("Tool error (broken): no luck");
    expect(session.state).toBe("idle");
  });

  test("calls with a shared or missing id are distinguished", async () => {
    await using workspace = await openWorkspace();
    const same = { name: "echo", arguments: {}, id: "same" };
    const { session } = createSession(workspace, {
      steps: [toolCalls([same, same]), toolCall("echo", {}, { id: "same" }), text("done")],
    });
    await collect(session.submit("go"));
    const ids = session.history.flatMap((turn) =>
      turn.type === "tool_results" ? turn.results.map((result) => result.toolCallId) : [],
    );
    expect(new Set(ids).size).toBe(3);
    for (const turn of session.history) {
      if (turn.type !== "assistant") continue;
      expect(turn.message?.parts.filter((part) => part.type === "tool_call")).toEqual(turn.toolCalls);
    }
  });

  test.each(PROFILE_FAMILIES)(
    "a tool of the host is offered and replaces the profile's of the same name, for %s [loop-3.7-1] [loop-3.7-2] [loop-9.2-5] [loop-9.2-6]",
    async (family) => {
      await using workspace = await openWorkspace();
      const { session, client } = createSession(workspace, {
        profile: createProfile(family, { model: "any" }),
        tools: [tool("grep", () => "my grep")],
        steps: [toolCall("grep"), toolCall("late"), text("done")],
      });
      session.toolRegistry.register(tool("late", () => "late tool"));
      const events = await collect(session.submit("go"));
      expect(dataOf(events, "tool_call_end").map(({ content }) => content)).toEqual(["my grep", "late tool"]);
      expect(client.requests[0]?.tools?.filter(({ name }) => name === "grep")).toHaveLength(1);
    },
  );

  test("only allowed tools are offered and run", async () => {
    await using workspace = await openWorkspace();
    const { session, client } = createSession(workspace, {
      allowedTools: ["echo"],
      steps: [toolCall("shell", { command: "true" }), text("done")],
    });
    const events = await collect(session.submit("go"));
    expect(client.requests[0]?.tools?.map(({ name }) => name)).toEqual(["echo"]);
    expect(dataOf(events, "tool_call_end")[0]?.content).toContain("Unknown tool: shell");
  });

  test("tools work the same in another environment [loop-1.2-3]", async () => {
    await using one = await openWorkspace({ "a.txt": "one" });
    await using two = await openWorkspace({ "a.txt": "two" });
    for (const [workspace, content] of [
      [one, "1 | one"],
      [two, "1 | two"],
    ] as const) {
      const { session } = createSession(workspace, {
        steps: [toolCall("read_file", { file_path: "a.txt" }), text("done")],
      });
      expect(dataOf(await collect(session.submit("go")), "tool_call_end")[0]?.content).toBe(content);
    }
  });
});

describe("a call id that one response uses twice", () => {
  const append = { name: "shell", arguments: { command: "echo x >> log.txt" }, id: "call_1" };

  test("the same call is executed once, and the repetition is rejected under its own id", async () => {
    await using workspace = await openWorkspace();
    const { session, client } = createSession(workspace, { steps: [toolCalls([append, append]), text("done")] });
    const events = await collect(session.submit("go"));
    expect(await workspace.read("log.txt")).toBe("x\n");
    expect(dataOf(events, "tool_call_end").map((end) => end.is_error)).toEqual([true, false]);
    const sent = client.requests[1]?.messages.flatMap(({ parts }) => parts) ?? [];
    const results = sent.flatMap((part) => (part.type === "tool_result" ? [part] : []));
    expect(results).toMatchObject([
      { toolCallId: "call_1", isError: false },
      { isError: true, content: expect.stringContaining("Not executed: this call repeats") },
    ]);
    expect(results[1]?.toolCallId).not.toBe("call_1");
  });

  test("different calls are all executed, under unique ids", async () => {
    await using workspace = await openWorkspace();
    const other = { ...append, arguments: { command: "echo y >> other.txt" } };
    const { session } = createSession(workspace, { steps: [toolCalls([append, other]), text("done")] });
    const events = await collect(session.submit("go"));
    expect(await workspace.read("log.txt")).toBe("x\n");
    expect(await workspace.read("other.txt")).toBe("y\n");
    expect(new Set(dataOf(events, "tool_call_end").map((end) => end.tool_call_id)).size).toBe(2);
  });

  test("the same call in a later response is executed again", async () => {
    await using workspace = await openWorkspace();
    const steps = [toolCalls([append]), toolCalls([append]), text("done")];
    const { session } = createSession(workspace, { steps });
    await collect(session.submit("go"));
    expect(await workspace.read("log.txt")).toBe("x\nx\n");
  });
});
