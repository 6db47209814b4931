import { inertEnvironment } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { call, textParts } from "../../test/family-client.ts";
import { familySession, resultsIn, resultTextsOf } from "../../test/family-session.ts";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, gate, textsOf, tool } from "../../test/run-session.ts";

const spawn = (task: string, args: Readonly<Record<string, unknown>> = {}) =>
  ["spawn_agent", { task, ...args }] as const;
const wait = (agent_id: string, args: Readonly<Record<string, unknown>> = {}) =>
  ["wait", { agent_id, ...args }] as const;
const send = (agent_id: string, message: string) => ["send_input", { agent_id, message }] as const;
const close = (agent_id: string) => ["close_agent", { agent_id }] as const;

describe("send_input", () => {
  test("steers a child that is running, and acknowledges it [loop-7.2-5] [loop-9.9-6]", async () => {
    const { opened, open } = gate();
    const { session, client } = familySession({
      environment: inertEnvironment(),
      tools: [tool("echo", async () => opened.then(() => "echoed"))],
      scripts: {
        go: [call(spawn("child")), call(send("agent-1", "faster")), call(wait("agent-1")), textParts("all done")],
        child: [call(["echo", {}]), textParts("as fast as I can")],
      },
      onCall: (input, { messages }) => {
        if (input === "go" && messages.length > 4) open();
      },
    });
    await collect(session.submit("go"));
    expect(resultTextsOf(session, "send_input")).toEqual(["Delivered to agent-1. Status: running."]);
    const heard = client.requests.filter(({ input }) => input === "child").at(-1);
    expect(textsOf(heard?.request, "user")).toEqual(["child", "faster"]);
  });

  test("gives a child that is done more to do, with all it knows [loop-7.2-5]", async () => {
    const { session } = familySession({
      environment: inertEnvironment(),
      scripts: {
        go: [
          ...[call(spawn("child")), call(wait("agent-1"))],
          ...[call(send("agent-1", "once more")), call(wait("agent-1")), textParts("all done")],
        ],
        child: [textParts("once"), textParts("twice")],
      },
    });
    await collect(session.submit("go"));
    expect(resultTextsOf(session, "wait")).toEqual([
      "agent-1 completed after 1 turn.\n\nonce",
      "agent-1 completed after 2 turns.\n\ntwice",
    ]);
    const { history } = session.subagents.get("agent-1")?.session ?? session;
    expect(history.map(({ type }) => type)).toEqual(["user", "assistant", "user", "assistant"]);
  });

  test("that arrives during the last response is not lost", async () => {
    const { opened, open } = gate();
    const { session } = familySession({
      environment: inertEnvironment(),
      scripts: {
        go: [call(spawn("child")), call(send("agent-1", "and the rest")), call(wait("agent-1")), textParts("all done")],
        child: [textParts("done"), textParts("the rest as well")],
      },
      onCall: async (input, { messages }) => {
        if (input === "go" && messages.length > 4) open();
        if (input === "child" && messages.length === 2) await opened;
      },
    });
    await collect(session.submit("go"));
    expect(resultTextsOf(session, "wait")).toEqual(["agent-1 completed after 2 turns.\n\nthe rest as well"]);
  });
});

describe("wait", () => {
  test("reports that the child still runs when its time is up, which is not an error [loop-7.2-6] [loop-9.9-6]", async () => {
    const { opened, open } = gate();
    const { session } = familySession({
      environment: inertEnvironment(),
      scripts: {
        go: [
          call(spawn("child")),
          call(wait("agent-1", { timeout_ms: 1 })),
          call(wait("agent-1")),
          textParts("all done"),
        ],
        child: [textParts("at last")],
      },
      onCall: async (input, { messages }) => {
        if (input === "child") await opened;
        if (input === "go" && messages.length > 4) open();
      },
    });
    await collect(session.submit("go"));
    const [first, second] = resultsIn(session).filter(({ name }) => name === "wait");
    expect(first).toMatchObject({ isError: false });
    expect(first?.content).toMatch(/^agent-1 is still running \(0 turns so far\)\. The time to wait, 1 ms, is over/);
    expect(second?.content).toMatch(/^agent-1 completed/);
  });

  test("ends with its parent, and so does the child [loop-B-13] [loop-9.11-5]", async () => {
    const { session } = familySession({
      environment: inertEnvironment(),
      scripts: { go: [call(spawn("child")), call(wait("agent-1"))], child: [textParts("never")] },
      onCall: async (input, { signal }) => {
        if (input !== "child") return;
        await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
      },
    });
    const order: string[] = [];
    const events = session.events();
    session.submit("go");
    for await (const { type, agentId, data } of events) {
      if (type === "tool_call_start" && "name" in data && data.name === "wait") void session.abort();
      if (/_ended$|session_end|tool_call_end/.test(type)) order.push(`${agentId ?? "root"} ${type}`);
    }
    expect(order.slice(-3).sort()).toEqual(["agent-1 session_end", "root session_end", "root subagent_ended"]);
    expect(order.at(-1)).toBe("root session_end");
    expect(session.subagents.get("agent-1")?.session.state).toBe("closed");
    expect(resultTextsOf(session, "wait")).toEqual([expect.stringMatching(/cancelled|aborted|stopped/i)]);
  });
});

describe("close_agent", () => {
  test("ends a running child with its commands, and reports how it ended [loop-7.2-7] [loop-9.9-6]", async () => {
    await using workspace = await openWorkspace();
    const { session } = familySession({
      environment: workspace.environment,
      scripts: {
        go: [
          ...[call(spawn("child")), call(wait("agent-1", { timeout_ms: 300 })), call(close("agent-1"))],
          ...[call(close("agent-1")), call(wait("agent-1")), call(send("agent-1", "hello?")), textParts("all done")],
        ],
        child: [call(["shell", { command: "sleep 30", timeout_ms: 60_000 }]), textParts("never")],
      },
    });
    await collect(session.submit("go"));
    expect(resultTextsOf(session, "close_agent")).toEqual([
      "Closed agent-1. Final status: failed.",
      "Closed agent-1. Final status: failed.",
    ]);
    expect(resultTextsOf(session, "wait").at(-1)).toMatch(/^agent-1 failed after \d turns?: it was closed\./);
    expect(resultTextsOf(session, "send_input")).toEqual([expect.stringMatching(/The subagent agent-1 is closed\./)]);
    expect(session.history.at(-1)).toMatchObject({ content: "all done" });
  });

  test("makes the child reject further input, also from a concurrent call [loop-7.2-5] [loop-7.2-7]", async () => {
    const { session } = familySession({
      environment: inertEnvironment(),
      scripts: {
        go: [call(spawn("child")), call(close("agent-1"), send("agent-1", "one more thing")), textParts("all done")],
        child: [textParts("never")],
      },
      onCall: (input) => (input === "child" ? new Promise(() => {}) : undefined),
    });
    await collect(session.submit("go"));
    expect(resultTextsOf(session, "close_agent")).toEqual(["Closed agent-1. Final status: failed."]);
    expect(resultTextsOf(session, "send_input")).toEqual([expect.stringMatching(/The subagent agent-1 is closed\./)]);
  });

  test("preserves the status of a finished child", async () => {
    const { session } = familySession({
      environment: inertEnvironment(),
      scripts: {
        go: [call(spawn("child")), call(wait("agent-1")), call(close("agent-1")), textParts("all done")],
        child: [textParts("done")],
      },
    });
    await collect(session.submit("go"));
    expect(resultTextsOf(session, "close_agent")).toEqual(["Closed agent-1. Final status: completed."]);
  });
});

test("an unknown id is an error result that names the known ones [loop-7.2-8]", async () => {
  const { session } = familySession({
    environment: inertEnvironment(),
    scripts: {
      go: [
        call(spawn("child")),
        call(wait("agent-7"), send("agent-7", "hello"), close("agent-7"), wait("__proto__")),
        textParts("all done"),
      ],
      child: [textParts("done")],
    },
  });
  await collect(session.submit("go"));
  const told = resultsIn(session).slice(1);
  expect(told.map(({ isError }) => isError)).toEqual([true, true, true, true]);
  expect(told[0]?.content).toMatch(
    /The subagent agent-7 does not exist\.\nUse an id that `spawn_agent` returned: agent-1\./,
  );
});

test("children continue after the end of an input, and are closed with their session [loop-B-13]", async () => {
  const { opened, open } = gate();
  const { session } = familySession({
    environment: inertEnvironment(),
    scripts: {
      go: [
        call(spawn("slow"), spawn("endless")),
        textParts("they will see to it"),
        call(wait("agent-1")),
        textParts("so they did"),
      ],
      slow: [textParts("done")],
      endless: [textParts("never")],
    },
    onCall: async (input, { signal }) => {
      if (input === "slow") await opened;
      if (input === "endless")
        await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
    },
  });
  await collect(session.submit("go"));
  expect(Array.from(session.subagents.values(), ({ status }) => status)).toEqual(["running", "running"]);
  open();
  await collect(session.submit("and?"));
  expect(session.history.at(-1)).toMatchObject({ content: "so they did" });
  const rest = collect(session.events());
  await session.close();
  const events = await rest;
  expect(Array.from(session.subagents.values(), ({ status }) => status)).toEqual(["completed", "failed"]);
  expect(events.map(({ type, agentId }) => `${agentId ?? "root"} ${type}`).at(-1)).toBe("root session_end");
  expect(events.filter(({ type }) => type === "session_end")).toHaveLength(3);
});
