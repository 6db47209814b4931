import { EngineError } from "@switchyard/contracts";
import { scriptedClient, text, toolCall } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, tool, typesOf } from "../../test/run-session.ts";
import type { SessionBoundary, SessionEvent } from "../index.ts";
import { createAnthropicProfile, Session } from "../index.ts";

test("a listener receives the same events as an iterator, in the same order [loop-2.9-1]", async () => {
  await using workspace = await openWorkspace();
  const { session } = createSession(workspace, { steps: [toolCall("echo"), text("done")] });
  const received: SessionEvent[] = [];
  session.listen((event) => received.push(event));
  const read = await collect(session.submit("go"));
  expect(received).toEqual(read);
});

test("an event is delivered synchronously: a call whose start stops the session is never made [loop-2.8-2]", async () => {
  await using workspace = await openWorkspace();
  let calls = 0;
  const touch = tool("touch", () => {
    calls += 1;
    return "touched";
  });
  const { session } = createSession(workspace, { steps: [toolCall("touch"), text("never")], tools: [touch] });
  session.listen(({ type }) => {
    if (type === "tool_call_start") void session.abort();
  });
  await session.process("go");
  expect([calls, session.state]).toEqual([0, "closed"]);
});

test("a session that is stopped while a response is recorded has it once, and makes none of its calls [loop-2.8-2]", async () => {
  await using workspace = await openWorkspace();
  const { session } = createSession(workspace, { steps: [toolCall("echo"), text("never")] });
  const received: SessionEvent[] = [];
  session.listen((event) => {
    received.push(event);
    if (event.type === "assistant_text_end") void session.abort();
  });
  await session.process("go");
  expect(session.history.map(({ type }) => type)).toEqual(["user", "assistant", "tool_results"]);
  expect(typesOf(received).filter((type) => type === "assistant_text_end")).toHaveLength(1);
  expect(typesOf(received).at(-1)).toBe("session_end");
});

test("a listener who is registered with another and unregisters during the event gets no further events; the other gets all", async () => {
  await using workspace = await openWorkspace();
  const { session } = createSession(workspace, { steps: [text("one")] });
  const first: SessionEvent[] = [];
  const second: SessionEvent[] = [];
  const unsubscribe = session.listen((event) => {
    first.push(event);
    unsubscribe();
  });
  session.listen((event) => second.push(event));
  await session.process("go");
  expect(first).toEqual(second.slice(0, 1));
  expect(typesOf(second).at(-1)).toBe("processing_end");
});

test("process() resolves when the input is done, and collects no events", async () => {
  await using workspace = await openWorkspace();
  const { session } = createSession(workspace, { steps: [text("one"), text("two")] });
  await session.process("first");
  expect([session.state, session.turns]).toEqual(["idle", 1]);
  const received: SessionEvent[] = [];
  const stop = session.listen((event) => received.push(event));
  await session.process("second");
  stop();
  stop();
  await session.close();
  expect(typesOf(received).slice(0, 2)).toEqual(["user_input", "assistant_text_start"]);
  expect(typesOf(received).at(-1)).toBe("processing_end");
});

test("when one of two listeners with the same function is removed, the other stays", async () => {
  await using workspace = await openWorkspace();
  const { session } = createSession(workspace, { steps: [text("one")] });
  let count = 0;
  const listener = ({ type }: SessionEvent): void => {
    if (type === "user_input") count += 1;
  };
  session.listen(listener);
  session.listen(listener)();
  await session.process("go");
  expect(count).toBe(1);
});

test("an error thrown by a listener is reported as uncaught, and the session continues", async () => {
  await using workspace = await openWorkspace();
  const { session } = createSession(workspace, { steps: [text("one")] });
  const uncaught: unknown[] = [];
  const others = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.once("uncaughtException", (error) => uncaught.push(error));
  try {
    session.listen(({ type }) => {
      if (type === "user_input") throw new Error("the listener is broken");
    });
    await session.process("go");
    expect(session.state).toBe("idle");
    expect(uncaught).toEqual([new Error("the listener is broken")]);
  } finally {
    process.removeAllListeners("uncaughtException");
    for (const other of others) process.on("uncaughtException", other);
  }
});

test("process() without a text continues from a boundary, and is rejected otherwise", async () => {
  await using workspace = await openWorkspace();
  const profile = createAnthropicProfile({ model: "m" });
  const { environment } = workspace;
  const boundaries: SessionBoundary[] = [];
  const first = new Session({
    ...{ profile, environment, tools: [tool("echo", () => "said")] },
    client: scriptedClient([toolCall("echo"), text("done")]),
    onBoundary: async (boundary) => void boundaries.push({ ...boundary, turns: [...boundary.turns] }),
  });
  await first.process("go");
  const second = new Session({
    ...{ profile, environment, tools: [tool("echo", () => "said")] },
    client: scriptedClient([text("done")]),
    resumeFrom: boundaries[1],
  });
  await expect(second.process("another")).rejects.toMatchObject({ code: "session.busy" });
  await second.process();
  expect(second.history.at(-1)).toMatchObject({ content: "done" });
  await expect(second.process()).rejects.toMatchObject({ code: "config.invalid" });
  await second.close();
  await expect(second.process("more")).rejects.toEqual(expect.any(EngineError));
});
