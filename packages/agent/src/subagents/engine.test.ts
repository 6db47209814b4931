import { EngineError, type Envelope, SESSION_RESULT } from "@switchyard/contracts";
import { agentIdOf } from "@switchyard/engine";
import { recordingHost } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { call, familyClient, textParts } from "../../test/family-client.ts";
import { openWorkspace } from "../../test/open-workspace.ts";
import { counting, gate, tool } from "../../test/run-session.ts";
import { codeOf, startRun } from "../../test/start-run.ts";
import { createAgentEngine, createAnthropicProfile } from "../index.ts";

const spawn = (task: string) => ["spawn_agent", { task }] as const;
const wait = (agent_id: string) => ["wait", { agent_id }] as const;
const agentOf = ({ headers }: Envelope): string => headers["agent_id"] ?? "";

describe("a run with subagents", () => {
  test("publishes the events of each under its own name, with separate steps", async () => {
    await using workspace = await openWorkspace();
    const client = familyClient({
      scripts: {
        go: [call(spawn("one"), spawn("two")), call(wait("agent-1"), wait("agent-2")), textParts("all done")],
        one: [call(["echo", {}]), textParts("first")],
        two: [textParts("second")],
      },
    });
    const host = recordingHost();
    const { execution, board } = startRun(workspace, {
      steps: [],
      client,
      host,
      tools: [tool("echo", () => "echoed")],
    });
    await execution;
    const steps = host.envelopes.flatMap(({ type, payload }) =>
      (type === "step_start" || type === "step_complete") && "step" in payload ? [`${type} ${payload.step}`] : [],
    );
    const both = (agent: string, count: number): string[] =>
      Array.from({ length: count }, (_, at) => [
        `step_start ${agent}.iter${at + 1}`,
        `step_complete ${agent}.iter${at + 1}`,
      ]).flat();
    expect(steps.filter((step) => / agent\./.test(step))).toEqual(both("agent", 3));
    expect(steps.filter((step) => / agent-1\./.test(step))).toEqual(both("agent-1", 2));
    expect(steps.filter((step) => / agent-2\./.test(step))).toEqual(both("agent-2", 1));
    const ends = host.envelopes.filter(({ type }) => type === "processing_end" || type === "session_end");
    expect(ends.map((envelope) => `${agentOf(envelope)} ${envelope.type}`).slice(-4)).toEqual([
      "agent processing_end",
      "agent-1 session_end",
      "agent-2 session_end",
      "agent session_end",
    ]);
    for (const { subject, headers } of host.envelopes) {
      expect(agentIdOf(headers["agent_id"] ?? "")).toBe(headers["agent_id"] ?? "");
      expect(subject).not.toContain("..");
    }
    // The usage of each response is reported once, and the result contains the total.
    expect(host.usages.map(({ responseId }) => responseId).sort()).toEqual([
      ...["agent-1/answer-1", "agent-1/answer-2", "agent-2/answer-1"],
      ...["answer-1", "answer-2", "answer-3"],
    ]);
    expect(board.get(SESSION_RESULT)).toMatchObject({
      exit_code: 0,
      final_message: "all done",
      turns: 3,
      input_tokens: host.totalUsage.inputTokens,
      output_tokens: host.totalUsage.outputTokens,
    });
  });

  test("closes those that still work when the agent is done, and names them", async () => {
    await using workspace = await openWorkspace();
    const client = familyClient({
      scripts: { go: [call(spawn("endless")), textParts("I am done")], endless: [textParts("never")] },
      onCall: async (input, { signal }) => {
        if (input === "endless")
          await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
      },
    });
    const host = recordingHost();
    const { execution, board } = startRun(workspace, { steps: [], client, host });
    await execution;
    const warning = host.envelopes.find(({ type }) => type === "warning");
    expect([warning === undefined ? "" : agentOf(warning), warning?.payload]).toEqual([
      "agent",
      {
        kind: "subagents_closed",
        message: expect.stringMatching(/still working; they were closed: agent-1\.$/),
        details: { ids: ["agent-1"] },
      },
    ]);
    expect(host.types().slice(-2)).toEqual(["session_end", "run_end"]);
    expect(host.envelopes.find(({ type }) => type === "subagent_ended")?.payload).toMatchObject({ status: "failed" });
    expect(board.get(SESSION_RESULT)).toMatchObject({ exit_code: 0, final_message: "I am done" });
  });

  test("that is interrupted resumes with their states [D9]", async () => {
    await using workspace = await openWorkspace();
    const look = counting("look", "readonly");
    const scripts = {
      go: [call(spawn("child")), call(wait("agent-1")), call(wait("agent-1")), textParts("all done")],
      child: [call(["look", {}]), call(["look", {}]), textParts("found it")],
    };
    const stop = new AbortController();
    const host = recordingHost();
    const first = startRun(workspace, {
      ...{ steps: [], host, tools: [look], signal: stop.signal, config: { abortGraceMs: 10 } },
      client: familyClient({
        scripts,
        onCall: async (input, { messages, signal }) => {
          if (input !== "child" || messages.length < 4) return;
          stop.abort();
          await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
        },
      }),
    });
    expect(await codeOf(first.execution)).toBe("run.cancelled");
    const second = startRun(workspace, {
      ...{ steps: [], tools: [look], from: host.checkpoints.at(-1) },
      client: familyClient({ scripts }),
    });
    await second.execution;
    expect(second.board.get(SESSION_RESULT)).toMatchObject({ exit_code: 0, final_message: "all done" });
    expect(look.calls).toBe(2);
    const said = second.host.envelopes.filter((envelope) => agentOf(envelope) === "agent-1").map(({ type }) => type);
    expect(said).not.toContain("user_input");
    expect(said).toContain("processing_end");
  });

  test("starts no child before the state of all is stored, and ends if it cannot be stored", async () => {
    await using workspace = await openWorkspace();
    const [spend, full] = [counting("spend"), new EngineError("run.store_failed", { path: "/state", problem: "full" })];
    const { opened, open } = gate();
    const recording = recordingHost();
    const host = Object.assign(recording, {
      checkpoint: async (checkpoint: Parameters<typeof recording.checkpoint>[0]) => {
        if (JSON.stringify(checkpoint.board.vars).includes('"name":"spend"')) {
          open();
          throw full;
        }
      },
    });
    const client = familyClient({
      scripts: {
        go: [call(spawn("child")), call(["pause", {}]), textParts("never")],
        child: [call(["spend", {}]), textParts("never")],
      },
    });
    const tools = [spend, tool("pause", () => opened.then(() => "paused"))];
    const { execution } = startRun(workspace, { steps: [], client, host, tools });
    expect(await codeOf(execution)).toBe("run.store_failed");
    expect(spend.calls).toBe(0);
  });

  test("stores with each checkpoint only the changes of each of them", async () => {
    await using workspace = await openWorkspace();
    const client = familyClient({
      scripts: {
        go: [call(spawn("child")), call(wait("agent-1")), textParts("all done")],
        child: [
          ...Array.from({ length: 40 }, (_, at) => call(["look", { at, text: "x".repeat(500) }])),
          textParts("done"),
        ],
      },
    });
    const host = recordingHost();
    const config = { enableLoopDetection: false };
    await startRun(workspace, { ...{ steps: [], client, host, config }, tools: [counting("look", "readonly")] })
      .execution;
    const sizes = host.checkpoints.map(({ payload }) => JSON.stringify(payload).length);
    expect(host.checkpoints.length).toBeGreaterThan(80);
    expect(Math.max(...sizes)).toBeLessThan(500);
    const [early, late] = [host.checkpoints[20], host.checkpoints[60]].map((kept) => kept?.board.vars ?? {});
    const turnsOf = (vars: Readonly<Record<string, unknown>>): readonly unknown[] => {
      const turns = vars["__subagent_turns.agent-1"];
      return Array.isArray(turns) ? turns : [];
    };
    expect(turnsOf(early ?? {}).length).toBeGreaterThan(5);
    // Identical objects, so that a store writes only the new turns.
    expect(turnsOf(early ?? {}).every((turn, at) => turnsOf(late ?? {})[at] === turn)).toBe(true);
    expect(early?.["__subagent_prompt.agent-1"]).toBe(late?.["__subagent_prompt.agent-1"]);
  });

  test("asks for a checkpoint of the children as well, and refuses one whose children cannot be read [D3]", async () => {
    await using workspace = await openWorkspace();
    const scripts = {
      go: [call(spawn("child")), call(wait("agent-1")), textParts("all done")],
      child: [call(["look", {}]), textParts("done")],
    };
    const host = recordingHost();
    const tools = [counting("look", "readonly")];
    await startRun(workspace, { steps: [], client: familyClient({ scripts }), host, tools }).execution;
    const kept = JSON.parse(JSON.stringify(host.checkpoints.at(-1)));
    const engine = createAgentEngine({
      client: familyClient({ scripts }),
      profile: createAnthropicProfile({ model: "m" }),
    });
    expect(() => engine.canResume?.(kept)).not.toThrow();
    const records: unknown[] = [null, {}, { ...kept.board.vars["__subagent.agent-1"], status: "asleep" }];
    for (const record of [...records, { ...kept.board.vars["__subagent.agent-1"], progress: 7 }]) {
      const vars = { ...kept.board.vars, "__subagent.agent-1": record };
      const damaged = { ...kept, board: { ...kept.board, vars } };
      let code: string | undefined;
      try {
        engine.canResume?.(damaged);
      } catch (error) {
        code = EngineError.is(error) ? error.code : String(error);
      }
      expect(code, JSON.stringify(record)).toBe("checkpoint.invalid");
    }
  });
});
