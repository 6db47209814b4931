import { EngineError, type ModelRequest, type ToolArguments, textMessage, textOf } from "@switchyard/contracts";
import { text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, counting, createSession, dataOf, gate, textsOf, tool } from "../../test/run-session.ts";
import { composeHooks, createSummaryCompaction, type HookContext, type SessionHooks } from "../index.ts";

const adder = {
  definition: {
    name: "add",
    description: "",
    parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  },
  execute: (args: ToolArguments) => `n is ${String(args["n"])}`,
};

describe("hooks round model calls", () => {
  test("may change the request, and the session can still stop it [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const { session, client } = createSession(workspace, {
      steps: [text("hello")],
      hooks: {
        beforeModelCall: ({ model, messages }): ModelRequest => ({ model: `${model}-x`, messages, temperature: 0 }),
      },
    });
    await collect(session.submit("go"));
    expect(client.requests[0]).toMatchObject({ model: "claude-x", temperature: 0 });
    expect(client.requests[0]?.signal).toBeInstanceOf(AbortSignal);
    expect(client.requests[0]?.onRetry).toBeTypeOf("function");
  });

  test("may change the answer, but not its cost [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      steps: [text("the key is 1234")],
      hooks: {
        afterModelCall: (response) => ({
          ...response,
          id: "other",
          message: { role: "assistant", parts: [{ type: "text", text: "the key is ****" }] },
          usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
        }),
      },
    });
    const events = await collect(session.submit("go"));
    expect(session.history.at(-1)).toMatchObject({ content: "the key is ****" });
    expect(dataOf(events, "assistant_text_end")[0]?.content).toBe("the key is ****");
    expect(session.usage.totalTokens).toBeGreaterThan(0);
    expect(dataOf(events, "usage_reported")[0]?.response_id).not.toBe("other");
  });

  test("that return nothing change nothing, and get the id and the attributes of the session [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const contexts: HookContext[] = [];
    const note = (_: unknown, context: HookContext): undefined => void contexts.push(context);
    const { session } = createSession(workspace, {
      steps: [toolCall("echo"), text("done")],
      attributes: { variant: "b", case_id: "c1", "kwargs.seed": "7" },
      hooks: { beforeModelCall: note, afterModelCall: note, beforeToolCall: note, afterToolCall: note },
    });
    await collect(session.submit("go"));
    expect(contexts).toHaveLength(6);
    for (const { sessionId, attributes } of contexts) {
      expect([sessionId, attributes]).toEqual([session.id, { variant: "b", case_id: "c1", "kwargs.seed": "7" }]);
    }
    expect(session.history.at(-1)).toMatchObject({ content: "done" });
  });

  test.each(["beforeModelCall", "afterModelCall"] as const)(
    "%s that throws fails the input with its error, and the session can continue [loop-8-4]",
    async (name) => {
      await using workspace = await openWorkspace();
      let isBroken = true;
      const throwing: SessionHooks = {
        [name]: () => {
          if (isBroken) throw new Error("out of order");
        },
      };
      const { session } = createSession(workspace, {
        steps: [text("one"), text("two"), text("three")],
        hooks: throwing,
      });
      const events = await collect(session.submit("go"));
      const error = { code: "hook.failed", message: `The hook ${name} failed: out of order` };
      expect(dataOf(events, "error")).toMatchObject([error]);
      expect(dataOf(events, "processing_end")).toMatchObject([{ outcome: "failed", error }]);
      expect(session.failure?.cause).toBeInstanceOf(Error);
      isBroken = false;
      await collect(session.submit("again"));
      expect(session.state).toBe("idle");
      expect(session.history.at(-1)).toMatchObject({ type: "assistant" });
    },
  );

  test("fail the input with a typed error, whose class decides about the session [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const error = new EngineError("budget.exceeded", { budget: "calls", used: 1, limit: 1 });
    const hooks: SessionHooks = { beforeModelCall: () => Promise.reject(error) };
    const { session, client } = createSession(workspace, { steps: [text("never")], hooks });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "error")).toEqual([error.toWire()]);
    expect(session.failure).toBe(error);
    expect(client.requests).toHaveLength(0);
  });

  test("an answer whose hook fails is not shown, and counts all the same [loop-8-4] [D14]", async () => {
    await using workspace = await openWorkspace();
    const reported: number[] = [];
    const { session, client } = createSession(workspace, {
      steps: [toolCall("echo"), text("later")],
      reportUsage: async (usage) => void reported.push(usage.totalTokens),
      hooks: {
        afterModelCall: () => {
          if (reported.length === 0) throw new Error("no");
        },
      },
    });
    const events = await collect(session.submit("go"));
    expect(reported).toHaveLength(1);
    expect(session.usage.totalTokens).toBe(reported[0]);
    expect(dataOf(events, "tool_call_start")).toEqual([]);
    await collect(session.submit("again"));
    expect(textsOf(client.requests[1], "assistant")).toEqual([]);
  });

  test("see the call that summarises a conversation as well [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const summary = text("the key is 1234");
    const { session, client } = createSession(workspace, {
      steps: [text("one ".repeat(500)), text("two"), summary, text("three")],
      compaction: createSummaryCompaction({ keepTurns: 1 }),
      hooks: {
        beforeModelCall: (request) => ({ ...request, model: "hooked" }),
        afterModelCall: (response) => ({
          ...response,
          message: textMessage("assistant", textOf(response.message).replace("1234", "****")),
        }),
      },
    });
    await collect(session.submit("go"));
    await collect(session.submit("more"));
    await session.compact();
    await collect(session.submit("on"));
    expect(client.requests.map(({ model }) => model)).toEqual(["hooked", "hooked", "hooked", "hooked"]);
    const seen = client.requests[3]?.messages.map(textOf).join("\n") ?? "";
    expect(seen).toContain("the key is ****");
    expect(seen).not.toContain("1234");
  });
});

describe("hooks round tool calls", () => {
  test("may change arguments, which approvals then see [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const approved: ToolArguments[] = [];
    const { session } = createSession(workspace, {
      tools: [adder],
      steps: [toolCall("add", { n: 1 }), text("done")],
      hooks: { beforeToolCall: ({ args }) => ({ args: { ...args, n: 2 } }) },
      approve: ({ args }) => {
        approved.push(args);
        return { decision: "allow", decidedBy: "host" };
      },
    });
    const events = await collect(session.submit("go"));
    expect(approved).toEqual([{ n: 2 }]);
    expect(dataOf(events, "tool_call_end")[0]?.content).toBe("n is 2");
  });

  test.each<[string, SessionHooks["beforeToolCall"]]>([
    ["new ones", () => ({ args: { n: "two" } })],
    ["ones that were changed in place", ({ args }) => void Object.assign(args, { n: "two" })],
    ["ones that no tool gets", () => ({ args: { n: 1, x: Number.NaN } })],
  ])("leave no arguments that do not fit: %s [loop-8-4]", async (_, beforeToolCall) => {
    await using workspace = await openWorkspace();
    const steps = [toolCall("add", { n: 1 }), text("done")];
    const { session } = createSession(workspace, { tools: [adder], steps, hooks: { beforeToolCall } });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "tool_call_end")[0]).toMatchObject({
      is_error: true,
      content: expect.stringContaining("The hook beforeToolCall failed: it returned invalid arguments"),
    });
    expect(dataOf(events, "warning")).toMatchObject([{ kind: "hook_failed" }]);
    expect(dataOf(events, "processing_end")).toMatchObject([{ outcome: "completed" }]);
  });

  test("may deny a call, and no other hook is asked about it [loop-8-4] [loop-8-5]", async () => {
    await using workspace = await openWorkspace({ "a.txt": "a" });
    const read = new Set<unknown>();
    let prompts = 0;
    const { session } = createSession(workspace, {
      steps: [
        toolCall("write_file", { file_path: "a.txt", content: "b" }),
        toolCall("read_file", { file_path: "a.txt" }),
        toolCall("write_file", { file_path: "a.txt", content: "b" }),
        text("done"),
      ],
      approve: () => {
        prompts += 1;
        return { decision: "allow", decidedBy: "host" };
      },
      hooks: {
        beforeToolCall: ({ tool: { definition }, args }) => {
          if (definition.name === "read_file") read.add(args["file_path"]);
          const isBlind = definition.name === "write_file" && !read.has(args["file_path"]);
          return isBlind ? { deny: "read the file first" } : undefined;
        },
      },
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "tool_call_end").map(({ is_error }) => is_error)).toEqual([true, false, false]);
    expect(dataOf(events, "tool_call_end")[0]?.content).toContain("not allowed: read the file first");
    expect(dataOf(events, "approval_decided")[0]).toMatchObject({ decision: "deny", decided_by: "hook" });
    expect(prompts).toBe(2);
    expect(await workspace.read("a.txt")).toBe("b");
  });

  test("may change the outcome, also of a call that failed [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      tools: [tool("fail", () => Promise.reject(new Error("secret")))],
      steps: [toolCall("fail"), text("done")],
      hooks: {
        afterToolCall: ({ outcome }) => ({ ...outcome, content: outcome.content.replace("secret", "***") }),
      },
    });
    await collect(session.submit("go"));
    expect(session.history[2]).toMatchObject({ results: [{ content: "Tool error (fail): ***", isError: true }] });
  });

  test("that throw before a call make it an error and a warning, and the call is not made [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const echo = counting("echo");
    const { session } = createSession(workspace, {
      tools: [echo],
      steps: [toolCall("echo"), text("done")],
      hooks: { beforeToolCall: () => Promise.reject(new Error("out of order")) },
    });
    const events = await collect(session.submit("go"));
    expect(echo.calls).toBe(0);
    expect(dataOf(events, "tool_call_end")[0]).toMatchObject({
      is_error: true,
      content: expect.stringContaining("The hook beforeToolCall failed: out of order"),
    });
    expect(dataOf(events, "warning")).toMatchObject([{ kind: "hook_failed", details: { call: "call_1" } }]);
    expect(session.history.at(-1)).toMatchObject({ content: "done" });
  });

  test("that throw after a call hide its outcome, and report that it was executed [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      steps: [toolCall("echo"), text("done")],
      hooks: { afterToolCall: () => Promise.reject(new Error("out of order")) },
    });
    const events = await collect(session.submit("go"));
    const end = dataOf(events, "tool_call_end")[0];
    expect(end).toMatchObject({ is_error: true, content: expect.stringContaining("The call was carried out") });
    expect(JSON.stringify(session.history)).not.toContain("echoed");
    expect(dataOf(events, "warning")).toMatchObject([{ kind: "hook_failed" }]);
  });

  test("that never end do not prevent a session from closing [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const called = gate();
    const { session } = createSession(workspace, {
      steps: [toolCall("echo")],
      hooks: {
        beforeToolCall: () => {
          called.open();
          return new Promise(() => {});
        },
      },
    });
    const events = collect(session.submit("go"));
    await called.opened;
    await session.abort();
    expect(dataOf(await events, "tool_call_end")).toMatchObject([{ cancelled: true }]);
  });
});

describe("several sets of hooks", () => {
  test("are layers: in order before a call, in reverse order after it [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const layer = (name: string): SessionHooks => ({
      beforeModelCall: (request) => ({ ...request, model: `${request.model}${name}` }),
      afterModelCall: (response) => ({ ...response, warnings: [...response.warnings, name] }),
      beforeToolCall: ({ args }) => ({ args: { n: Number(args["n"]) * 10 + Number(name) } }),
      afterToolCall: ({ outcome }) => ({ ...outcome, content: `${outcome.content}${name}` }),
    });
    const { session, client } = createSession(workspace, {
      tools: [adder],
      steps: [toolCall("add", { n: 0 }), text("done")],
      hooks: composeHooks(layer("1"), {}, layer("2")),
    });
    const events = await collect(session.submit("go"));
    expect(client.requests[0]?.model).toBe("claude12");
    expect(dataOf(events, "tool_call_end")[0]?.content).toBe("n is 1221");
    // Both responses carry the warnings, but the session emits each warning only once.
    expect(dataOf(events, "warning").map(({ message }) => message)).toEqual(["2", "1"]);
  });

  test("stop at the first denial, and add no work if no hooks are set [loop-8-4]", async () => {
    await using workspace = await openWorkspace();
    const later: string[] = [];
    const { session } = createSession(workspace, {
      steps: [toolCall("echo"), text("done")],
      hooks: composeHooks(
        { beforeToolCall: () => ({ deny: "no" }) },
        { beforeToolCall: ({ call }) => void later.push(call.id) },
      ),
    });
    await collect(session.submit("go"));
    expect(later).toEqual([]);
    expect(Object.values(composeHooks({}, {}))).toEqual([undefined, undefined, undefined, undefined]);
  });
});
