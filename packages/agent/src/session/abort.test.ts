import { spawnSync } from "node:child_process";
import type { Client, ModelRequest, StreamEvent } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { inertEnvironment, scriptedClient, text, toolCall, toolCalls } from "@switchyard/testkit";
import { afterEach, expect, test, vi } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, dataOf, gate, tool, typesOf } from "../../test/run-session.ts";
import { createAnthropicProfile, Session, type SessionEvent } from "../index.ts";

const profile = createAnthropicProfile({ model: "claude" });

afterEach(() => void vi.useRealTimers());

function stateOf(pid: number): string {
  return spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim() || "gone";
}

/** Client whose stream emits some text and then hangs. `closed` resolves when the stream is closed. */
function hangingClient(heedsSignal: boolean): Client & { closed: Promise<void> } {
  const closed = gate();
  async function* stream(request: ModelRequest): AsyncGenerator<StreamEvent> {
    try {
      yield { type: "text_delta", textId: "1", text: "partly" };
      await new Promise((_, reject) => {
        if (heedsSignal) request.signal?.addEventListener("abort", () => reject(new EngineError("llm.aborted")));
      });
    } finally {
      closed.open();
    }
  }
  return { ...scriptedClient([]), stream, closed: closed.opened, close: async () => {} };
}

/** Runs until an event of the given type arrives, then aborts. */
async function abortAt(session: Session, type: SessionEvent["type"]): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const event of session.submit("go")) {
    events.push(event);
    if (event.type === type) void session.abort();
  }
  return events;
}

test("an abort closes the model's stream and the session [loop-2.5-5] [loop-2.3-9] [loop-2.8-2] [loop-2.9-4] [loop-9.1-6]", async () => {
  await using workspace = await openWorkspace();
  const client = hangingClient(true);
  const session = new Session({ profile, environment: workspace.environment, client });
  const events = await abortAt(session, "assistant_text_delta");
  await client.closed;
  expect(session.state).toBe("closed");
  expect(events.at(-1)).toMatchObject({ type: "session_end", data: { state: "closed" } });
  expect(session.history.at(-1)).toMatchObject({ type: "assistant", content: "partly" });
  expect(typesOf(events)).not.toContain("processing_end");
});

test("a client that ignores the signal does not delay the abort [loop-2.8-2]", async () => {
  await using workspace = await openWorkspace();
  const session = new Session({ profile, environment: workspace.environment, client: hangingClient(false) });
  await abortAt(session, "assistant_text_delta");
  expect(session.state).toBe("closed");
});

test("an abort ends running commands and answers every call [loop-2.5-27] [loop-2.8-2] [loop-9.11-5] [loop-B-13] [loop-B-14]", async () => {
  await using workspace = await openWorkspace();
  const command = "echo $$ > pid; sleep 60 & echo $! > child; echo started; wait";
  const client = scriptedClient([toolCalls([{ name: "shell", arguments: { command } }]), text("never")]);
  const session = new Session({ profile, environment: workspace.environment, client });
  const events = await abortAt(session, "tool_call_output_delta");
  expect(session.state).toBe("closed");
  expect(events.at(-1)?.type).toBe("session_end");
  expect(dataOf(events, "tool_call_end")).toMatchObject([{ is_error: true, details: { aborted: true } }]);
  const [, , results] = session.history;
  expect(results).toMatchObject({ type: "tool_results", results: [{ toolCallId: "call_1", isError: true }] });
  for (const file of ["pid", "child"]) {
    const pid = Number(await workspace.read(file));
    expect(pid).toBeGreaterThan(1);
    // A process that has exited may remain a zombie until its parent reaps it.
    await expect.poll(() => stateOf(pid)).toMatch(/^(gone|Z)/);
  }
});

test("calls that had not begun are cancelled and reported as such [loop-2.5-25] [loop-2.5-27]", async () => {
  await using workspace = await openWorkspace();
  let ran = 0;
  const stop = tool("stop", () => {
    void session.abort();
    return "stopped";
  });
  const never = tool("never", () => {
    ran += 1;
    return "";
  });
  const session: Session = new Session({
    profile: createAnthropicProfile({ model: "m", supportsParallelToolCalls: false }),
    environment: workspace.environment,
    client: scriptedClient([
      toolCalls([
        { name: "stop", arguments: {} },
        { name: "never", arguments: {} },
      ]),
    ]),
    tools: [stop, never],
  });
  const events = await collect(session.submit("go"));
  expect(ran).toBe(0);
  expect(dataOf(events, "tool_call_end")).toMatchObject([{ name: "stop" }, { name: "never", cancelled: true }]);
  expect(session.history.at(-1)).toMatchObject({
    results: [{ content: "stopped" }, { content: expect.stringMatching(/^cancelled/) }],
  });
});

test("a tool that does not end is given up after the grace, its outcome unknown [loop-2.5-27] [loop-C-1]", async () => {
  await using workspace = await openWorkspace();
  const stuck = tool("stuck", () => {
    void session.abort();
    return new Promise<string>(() => {});
  });
  const session: Session = new Session({
    profile,
    environment: workspace.environment,
    client: scriptedClient([toolCall("stuck")]),
    tools: [stuck],
    config: { abortGraceMs: 5 },
  });
  await collect(session.submit("go"));
  expect(session.history.at(-1)).toMatchObject({
    results: [{ content: expect.stringMatching(/^unknown_outcome/), isError: true }],
  });
});

test.each([Number.POSITIVE_INFINITY, 2 ** 31])(
  "a grace of %d ms is not cut short by the timer",
  async (abortGraceMs) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { opened, open } = gate();
    const { opened: isStopped, open: stop } = gate();
    const slow = tool("slow", () => {
      void session.abort().then(stop);
      return opened.then(() => "ended cleanly");
    });
    const session: Session = new Session({
      ...{ profile, environment: inertEnvironment(), client: scriptedClient([toolCall("slow")]), tools: [slow] },
      config: { abortGraceMs },
    });
    const events = collect(session.submit("go"));
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(60_000);
    open();
    await isStopped;
    expect(dataOf(await events, "tool_call_end")).toMatchObject([{ content: "ended cleanly" }]);
  },
);

test("the host's signal aborts the session, and follow-ups do not run [loop-2.3-9] [loop-2.5-16]", async () => {
  await using workspace = await openWorkspace();
  const controller = new AbortController();
  const stop = tool("stop", () => {
    controller.abort();
    return "ok";
  });
  const client = scriptedClient([toolCall("stop"), text("never")]);
  const session = new Session({
    profile,
    environment: workspace.environment,
    client,
    tools: [stop],
    signal: controller.signal,
  });
  session.followUp("later");
  await collect(session.submit("go"));
  expect(session.state).toBe("closed");
  expect(client.requests).toHaveLength(1);
});

test("an idle session closes at once, for any number of calls [loop-2.3-8] [loop-2.3-9]", async () => {
  await using workspace = await openWorkspace();
  const session = new Session({ profile, environment: workspace.environment, client: scriptedClient([]) });
  const events = session.events();
  await Promise.all([session.close(), session.abort(), session.close()]);
  expect(typesOf(await collect(events))).toEqual(["session_start", "session_end"]);
  const aborted = new Session({
    profile,
    environment: workspace.environment,
    client: scriptedClient([]),
    signal: AbortSignal.abort(),
  });
  expect(aborted.state).toBe("closed");
});

test("a session that is being closed takes no input: it would not be worked on [loop-2.3-8]", async () => {
  await using workspace = await openWorkspace();
  const client = scriptedClient([toolCall("shell", { command: "sleep 30", background: true }), text("done")]);
  const session = new Session({ profile, environment: workspace.environment, client });
  const events = session.events();
  await session.process("go");
  const closed = session.close();
  expect(session.state).toBe("idle");
  expect(() => session.submit("more")).toThrow(new EngineError("session.closed").message);
  await closed;
  expect(typesOf(await collect(events)).filter((type) => type === "user_input" || type === "session_end")).toEqual([
    "user_input",
    "session_end",
  ]);
});
