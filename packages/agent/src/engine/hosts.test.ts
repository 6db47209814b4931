import { DEPENDENCY, type Host, SESSION_INPUT, SESSION_RESULT } from "@switchyard/contracts";
import { createBoard, createDependencies, hostFromContext } from "@switchyard/engine";
import { recordingHost, scriptedClient, text, toolCall, toolCalls } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { controlSource } from "../../test/control-source.ts";
import { openWorkspace } from "../../test/open-workspace.ts";
import { counting, note, tool } from "../../test/run-session.ts";
import { codeOf, startRun } from "../../test/start-run.ts";
import { createAgentEngine, createAnthropicProfile } from "../index.ts";

/** Creates a host that runs a callback before it accepts an event. */
function watchingHost(watch: (...args: Parameters<Host["publish"]>) => unknown): ReturnType<typeof recordingHost> {
  const host = recordingHost();
  const publish = host.publish.bind(host);
  host.publish = async (envelope) => {
    await watch(envelope);
    await publish(envelope);
  };
  return host;
}

describe("the host of an agent", () => {
  test("that passes an invalid source of messages is rejected, and nothing runs afterwards", async () => {
    await using workspace = await openWorkspace();
    const put = counting("put");
    const { client, execution } = startRun(workspace, {
      dependencies: [[DEPENDENCY.control, { drain: "no function" }]],
      tools: [put],
      steps: [toolCall("put"), text("done")],
    });
    expect(await codeOf(execution)).toBe("dependency.wrong_type");
    await new Promise((resolve) => setImmediate(resolve));
    expect([client.requests.length, put.calls]).toEqual([0, 0]);
  });

  test("that stops the run during sequential calls takes effect before the next call [D6]", async () => {
    await using workspace = await openWorkspace();
    const controller = new AbortController();
    const spend = counting("spend");
    let begun = 0;
    // A host may learn only while storing the event that another process has taken over the run.
    const host = watchingHost(({ type }) => {
      if (type === "tool_call_start" && ++begun === 2) controller.abort();
    });
    const call = { name: "spend", arguments: {} };
    const { execution } = startRun(workspace, {
      host,
      signal: controller.signal,
      profile: createAnthropicProfile({ model: "claude", supportsParallelToolCalls: false }),
      tools: [spend],
      steps: [toolCalls([call, call, call]), text("done")],
    });
    expect(await codeOf(execution)).toBe("run.cancelled");
    expect(spend.calls).toBe(1);
  });

  test("finds in a checkpoint the messages that arrived while the earlier events were being stored [D9]", async () => {
    await using workspace = await openWorkspace();
    const control = controlSource();
    let spoke = false;
    const host = watchingHost(async ({ type }) => {
      if (type !== "usage_reported" || spoke) return;
      spoke = true;
      // After this wait, the session is at its boundary and waits until the host has received this event.
      await new Promise((resolve) => setImmediate(resolve));
      control.send({ type: "steer", text: "with tabs" });
      control.send({ type: "follow_up", text: "and then" });
    });
    const { execution } = startRun(workspace, {
      host,
      dependencies: [[DEPENDENCY.control, control]],
      tools: [tool("look", () => "seen")],
      steps: [toolCall("look"), text("one"), text("two")],
    });
    await execution;
    expect(host.checkpoints[0]?.payload).toMatchObject({
      boundary: "intents",
      progress: { steering: ["with tabs"], followUps: ["and then"] },
    });
  });

  test.each(["unsafe", "readonly"] as const)(
    "that interrupts while a checkpoint is being stored takes effect before a %s call begins, with its first cause",
    async (effects) => {
      await using workspace = await openWorkspace();
      const host = recordingHost();
      const recordCheckpoint = host.checkpoint.bind(host);
      host.checkpoint = async (checkpoint) => {
        await recordCheckpoint(checkpoint);
        host.interrupt({ cause: "host_shutdown" });
        host.interrupt({ cause: "user_cancel" });
      };
      const tools = [counting("act", effects)];
      const { execution } = startRun(workspace, { host, tools, steps: [toolCall("act"), text("done")] });
      await expect(execution).rejects.toMatchObject({ code: "run.interrupted", details: { cause: "host_shutdown" } });
      expect(tools[0]?.calls).toBe(0);
      const resumed = startRun(workspace, { from: host.checkpoints[0], tools, steps: [text("done")] });
      await resumed.execution;
      expect(tools[0]?.calls).toBe(effects === "readonly" ? 1 : 0);
    },
  );

  test("that cancels a run gets that error, regardless of later interrupts", async () => {
    await using workspace = await openWorkspace();
    const controller = new AbortController();
    const host = recordingHost();
    const { execution } = startRun(workspace, {
      host,
      signal: controller.signal,
      steps: [
        () => {
          controller.abort();
          host.interrupt({ cause: "user_input" });
          return text("never");
        },
      ],
    });
    expect(await codeOf(execution)).toBe("run.cancelled");
  });

  test("that cancels a run while its earlier conversation is loaded ends it before the first model call [D6]", async () => {
    await using workspace = await openWorkspace();
    const controller = new AbortController();
    const load = async (): Promise<undefined> => {
      controller.abort();
      return undefined;
    };
    const { client, board, execution } = startRun(workspace, {
      signal: controller.signal,
      dependencies: [[DEPENDENCY.historyStore, { load }]],
      steps: [text("done")],
    });
    expect(await codeOf(execution)).toBe("run.cancelled");
    expect(client.requests).toEqual([]);
    expect(board.get(SESSION_RESULT)).toMatchObject({ exit_code: 1, turns: 0 });
  });

  test("with an empty list of allowed tools offers and executes no tools [engine-depname-2]", async () => {
    await using workspace = await openWorkspace();
    const put = counting("put");
    const { client, host, execution } = startRun(workspace, {
      dependencies: [[DEPENDENCY.toolAllowedNames, []]],
      tools: [put],
      steps: [
        toolCalls([
          { name: "put", arguments: {} },
          { name: "shell", arguments: { command: "touch x" } },
        ]),
        text("done"),
      ],
    });
    await execution;
    expect(client.requests.map(({ tools }) => tools)).toEqual([[], []]);
    expect(put.calls).toBe(0);
    expect(await workspace.environment.exists("x")).toBe(false);
    const ends = host.ofType("tool_call_end").map(({ payload }) => [payload.is_error, payload.content]);
    expect(ends).toEqual([
      [true, expect.stringContaining("put")],
      [true, expect.stringContaining("shell")],
    ]);
  });
});

test("tools and hooks, which receive no host parameter, find the host of their run [engine-with-host-1] [engine-with-host-3]", async () => {
  await using workspace = await openWorkspace();
  const found = new Map<string, (Host | undefined)[]>();
  const look = tool("look", async (args) => {
    await new Promise((resolve) => setImmediate(resolve));
    found.get(String(args["run"]))?.push(hostFromContext());
    return "seen";
  });
  const startWith = async (id: string, host: Host): Promise<void> => {
    found.set(id, []);
    const engine = createAgentEngine({
      client: scriptedClient([toolCall("look", { run: id }), text("done")]),
      profile: createAnthropicProfile({ model: "claude" }),
      tools: [look],
      hooks: { beforeToolCall: () => void found.get(id)?.push(hostFromContext()) },
    });
    const board = createBoard();
    board.set(SESSION_INPUT, { messages: [{ role: "user", content: "go" }] });
    const deps = createDependencies([[DEPENDENCY.environment, workspace.environment]]);
    await engine.execute({ id, attributes: {}, deps, signal: new AbortController().signal }, host, board);
  };
  const names = ["first", "second"];
  await Promise.all(names.map((name) => startWith(name, recordingHost())));
  for (const name of names) {
    expect(found.get(name)).toHaveLength(2);
    for (const host of found.get(name) ?? []) expect(host).toBeDefined();
  }
  expect(found.get("first")?.[0]).toBe(found.get("first")?.[1]);
  expect(found.get("first")?.[0]).not.toBe(found.get("second")?.[0]);
  expect(hostFromContext()).toBeUndefined();
});

test("a tool that declares that it needs no host is called without one, as are the shell and the file tools [engine-with-host-1]", async () => {
  await using workspace = await openWorkspace();
  const found: (Host | undefined)[] = [];
  const asking = tool("ask", () => note(found, hostFromContext()));
  const profile = createAnthropicProfile({ model: "claude" });
  const engine = createAgentEngine({
    client: scriptedClient([toolCall("ask"), toolCall("look"), text("done")]),
    profile,
    tools: [asking, { ...asking, definition: { ...asking.definition, name: "look" }, needsHost: false }],
  });
  const board = createBoard();
  board.set(SESSION_INPUT, { messages: [{ role: "user", content: "go" }] });
  const deps = createDependencies([[DEPENDENCY.environment, workspace.environment]]);
  const host = recordingHost();
  await engine.execute({ id: "run", attributes: {}, deps, signal: new AbortController().signal }, host, board);
  expect(found.map((carried) => carried === undefined)).toEqual([false, true]);
  const names = ["shell", "read_file", "write_file", "edit_file"];
  expect(names.map((name) => profile.toolRegistry.get(name)?.needsHost)).toEqual(names.map(() => false));
});
