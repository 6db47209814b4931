import { EngineError, MAIN_CHANNEL, SESSION_RESULT } from "@switchyard/contracts";
import { suggestCheckpoint } from "@switchyard/engine";
import { recordingHost, text, toolCall, toolCalls } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { counting, gate, tool } from "../../test/run-session.ts";
import { codeOf, startRun } from "../../test/start-run.ts";

/** Returns the boundary kind of a checkpoint and its number of turns. */
function positionOf({ payload, board }: ReturnType<typeof recordingHost>["checkpoints"][number]): [unknown, number] {
  const boundary = typeof payload === "object" && payload !== null && "boundary" in payload ? payload.boundary : "";
  const turns = board.vars["__agent_turns"];
  return [boundary, Array.isArray(turns) ? turns.length : -1];
}

const echo = tool("echo", () => "echoed");

describe("boundaries", () => {
  test("there are two checkpoints per tool round, and none for a text response [D5]", async () => {
    await using workspace = await openWorkspace();
    const { host, execution } = startRun(workspace, {
      tools: [echo],
      steps: [
        toolCalls([
          { name: "echo", arguments: {} },
          { name: "echo", arguments: {} },
        ]),
        toolCall("echo"),
        text("done"),
      ],
    });
    await execution;
    expect(host.checkpoints.map(positionOf)).toEqual([
      ["intents", 2],
      ["outcomes", 3],
      ["intents", 4],
      ["outcomes", 5],
    ]);
  });

  test("no tool starts, and no further call is made, before the host has taken the checkpoint [D5]", async () => {
    await using workspace = await openWorkspace();
    const host = recordingHost();
    const order: string[] = [];
    const gates = [gate(), gate()];
    let count = 0;
    Object.assign(host, {
      checkpoint: async () => {
        const number = count;
        count += 1;
        order.push(`checkpoint ${number} begins`);
        await gates[number]?.opened;
        order.push(`checkpoint ${number} ends`);
      },
    });
    const { execution } = startRun(workspace, {
      host,
      tools: [
        tool("note", () => {
          order.push("tool");
          return "noted";
        }),
      ],
      steps: [
        toolCall("note"),
        () => {
          order.push("model");
          return text("done");
        },
      ],
    });
    for (const number of [0, 1]) {
      await expect.poll(() => order.at(-1)).toBe(`checkpoint ${number} begins`);
      gates[number]?.open();
    }
    await execution;
    expect(order).toEqual([
      "checkpoint 0 begins",
      "checkpoint 0 ends",
      "tool",
      "checkpoint 1 begins",
      "checkpoint 1 ends",
      "model",
    ]);
  });

  test("a checkpoint contains its run, its position and the start time of the run [engine-checkpoint-1] [engine-checkpoint-2] [engine-checkpoint-3] [engine-checkpoint-4] [engine-checkpoint-5] [engine-checkpoint-6]", async () => {
    await using workspace = await openWorkspace();
    let time = Date.parse("2026-01-01T00:00:00.000Z");
    const setup = { tools: [echo], now: () => (time += 1_000) };
    const first = startRun(workspace, { ...setup, steps: [toolCall("echo"), toolCall("echo"), text("done")] });
    await first.execution;
    const [, outcomes, next] = first.host.checkpoints;
    expect(outcomes).toMatchObject({
      execId: "run-1",
      step: "agent.iter1",
      iteration: 1,
      attributes: { "agent.id": "agent" },
      originalStartedAt: expect.stringMatching(/^2026-01-01T00:00:0/),
      specVersion: "agent-1/anthropic",
    });
    expect(next).toMatchObject({ step: "agent.iter2", iteration: 2, originalStartedAt: outcomes?.originalStartedAt });
    expect(Date.parse(next?.timestamp ?? "")).toBeGreaterThan(Date.parse(outcomes?.timestamp ?? ""));
    const second = startRun(workspace, { ...setup, from: outcomes, steps: [toolCall("echo"), text("done")] });
    await second.execution;
    expect(second.host.checkpoints[0]).toMatchObject({
      step: "agent.iter2",
      originalStartedAt: outcomes?.originalStartedAt,
    });
  });

  test("a turn is copied once: later checkpoints and the main channel share it", async () => {
    await using workspace = await openWorkspace();
    const { host, execution } = startRun(workspace, {
      tools: [echo],
      steps: [toolCall("echo"), toolCall("echo"), text("done")],
    });
    await execution;
    const boards = host.checkpoints.map(({ board }) => board);
    const turns = boards.map(({ vars }) => vars["__agent_turns"]);
    const channels = boards.map(({ channels: all }) => all?.[MAIN_CHANNEL] ?? []);
    for (const index of [0, 1]) {
      expect(Reflect.get(Object(turns.at(-1)), index)).toBe(Reflect.get(Object(turns[0]), index));
      expect(channels.at(-1)?.[index]).toBe(channels[0]?.[index]);
    }
    expect(channels.at(-1)?.[1]).toBe(Reflect.get(Object(Reflect.get(Object(turns.at(-1)), 1)), "message"));
  });

  test("all events before a boundary are published before its checkpoint is stored [D8] [D14]", async () => {
    await using workspace = await openWorkspace();
    const host = recordingHost();
    const seen: string[][] = [];
    const publish = host.publish.bind(host);
    Object.assign(host, {
      publish: async (envelope: Parameters<typeof publish>[0]) => {
        await new Promise((resolve) => setImmediate(resolve));
        await publish(envelope);
      },
      checkpoint: async () => {
        seen.push(host.types().filter((type) => !type.endsWith("_delta")));
      },
    });
    await startRun(workspace, { host, tools: [echo], steps: [toolCall("echo"), text("done")] }).execution;
    expect(seen.map((types) => types.at(-1))).toEqual(["usage_reported", "tool_call_end"]);
  });
});

describe("a host that does not take a checkpoint", () => {
  const failure = new EngineError("run.store_failed", { path: "/state", problem: "no space" });

  test("fails the run before any effect of the round, with its own error [D4]", async () => {
    await using workspace = await openWorkspace();
    const count = counting("count");
    const { client, board, execution } = startRun(workspace, {
      host: recordingHost({ checkpointFailure: failure }),
      tools: [count],
      steps: [toolCall("count"), text("never")],
    });
    await expect(execution).rejects.toBe(failure);
    expect(count.calls).toBe(0);
    expect(client.requests).toHaveLength(1);
    expect(board.get(SESSION_RESULT)).toMatchObject({ exit_code: 1, turns: 1 });
    expect(board.channel(MAIN_CHANNEL).map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  test("fails the run before the next model call when it is the outcomes it does not take", async () => {
    await using workspace = await openWorkspace();
    const host = recordingHost();
    const { client, execution } = startRun(workspace, {
      host,
      tools: [
        tool("fill", () => {
          host.options.checkpointFailure = failure;
          return "full";
        }),
      ],
      steps: [toolCall("fill"), text("never")],
    });
    await expect(execution).rejects.toBe(failure);
    expect(client.requests).toHaveLength(1);
    // The stored state shows that the call was requested, so it is not repeated.
    expect(host.checkpoints.map(positionOf)).toEqual([["intents", 2]]);
  });

  test("does not hide why a run was stopped", async () => {
    await using workspace = await openWorkspace();
    const host = recordingHost();
    const { execution } = startRun(workspace, {
      host,
      tools: [
        tool("stop", () => {
          host.options.checkpointFailure = failure;
          host.interrupt({ cause: "user_cancel" });
          return "stopped";
        }),
      ],
      steps: [toolCall("stop"), text("never")],
    });
    expect(await codeOf(execution)).toBe("run.interrupted");
    expect(host.ofType("warning").map(({ payload }) => payload.kind)).toEqual(["boundary_not_kept"]);
  });

  test("a response that no store accepts fails the run before its tools run", async () => {
    await using workspace = await openWorkspace();
    const count = counting("count");
    const part = { type: "unknown" as const, kind: "strange", value: Number.NaN };
    const { execution, host } = startRun(workspace, {
      tools: [count],
      steps: [{ kind: "answer", parts: [part, ...toolCall("count").parts] }],
    });
    expect(await codeOf(execution)).toBe("board.invalid_value");
    expect(count.calls).toBe(0);
    // Steps and sessions that started are reported as ended.
    expect(host.types().filter((type) => /^step_|session_end|run_end/.test(type))).toEqual([
      ...["step_start", "step_error"],
      ...["session_end", "run_end"],
    ]);
  });
});

describe("a checkpoint that is suggested", () => {
  test("is stored at the end of a round and in every resumed run of the engine [engine-checkpoint-suggester-2]", async () => {
    await using workspace = await openWorkspace();
    const host = recordingHost();
    let suggested = false;
    const { engine, execution } = startRun(workspace, {
      host,
      tools: [echo],
      steps: [toolCall("echo"), text("done")],
    });
    const take = host.checkpoint.bind(host);
    Object.assign(host, {
      checkpoint: async (checkpoint: (typeof host.checkpoints)[number]) => {
        await take(checkpoint);
        if (!suggested && host.checkpoints.length === 2) {
          suggested = true;
          suggestCheckpoint(engine);
        }
      },
    });
    await execution;
    expect(host.checkpoints.map(positionOf)).toEqual([
      ["intents", 2],
      ["outcomes", 3],
      ["suggested", 3],
    ]);
    // No session is active, so no checkpoint is taken.
    suggestCheckpoint(engine);
    expect(host.checkpoints).toHaveLength(3);
  });

  test("is stored after a text response, and a run that ended there ends again [engine-checkpoint-suggester-2]", async () => {
    await using workspace = await openWorkspace();
    const { host, engine, execution } = startRun(workspace, {
      steps: [
        () => {
          suggestCheckpoint(engine);
          return text("first");
        },
        text("second"),
      ],
      tools: [echo],
    });
    await execution;
    expect(host.checkpoints.map(positionOf)).toEqual([["suggested", 2]]);
    const resumed = startRun(workspace, { from: host.checkpoints[0], steps: [] });
    await resumed.execution;
    expect(resumed.board.get(SESSION_RESULT)).toMatchObject({ exit_code: 0, final_message: "first", turns: 1 });
  });

  test("is the next regular one if one is due", async () => {
    await using workspace = await openWorkspace();
    const { host, engine, execution } = startRun(workspace, {
      tools: [
        tool("suggest", () => {
          suggestCheckpoint(engine);
          return "ok";
        }),
      ],
      steps: [toolCall("suggest"), text("done")],
    });
    await execution;
    expect(host.checkpoints.map(positionOf)).toEqual([
      ["intents", 2],
      ["outcomes", 3],
    ]);
  });
});
