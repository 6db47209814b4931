import { type AgentAdapter, EngineError } from "@switchyard/contracts";
import { recordingHost } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { runAcme, WORKS } from "../../test/run-acme.ts";
import { pulledAdapter } from "../index.ts";

test("an adapter is an engine: common events, usage, a result and checkpoints with the session's id [adapter-contract-11]", async () => {
  const steps = [
    ...WORKS.slice(0, 2),
    { do: "tool", id: "a", name: "Shell", arguments: { command: "ls" } } as const,
    { do: "tool-end", id: "a", output: "x" } as const,
    { do: "end", kind: "success", inputTokens: 30, outputTokens: 4 } as const,
  ];
  for (const wrap of [(adapter: AgentAdapter) => adapter, pulledAdapter]) {
    const { result, error, host, prompts } = await runAcme({ turns: [{ steps }], wrap });
    expect(error).toBeUndefined();
    expect(host.types()).toEqual([
      ...["run_start", "user_input", "session_start", "assistant_text_end", "tool_call_start", "tool_call_end"],
      ...["usage_reported", "processing_end", "session_end", "run_end"],
    ]);
    expect(result).toMatchObject({
      ...{ exit_code: 0, final_message: "Done.", engine: "acme", model: "m", turns: 1, input_tokens: 30 },
      session_id: prompts[0]?.sessionId,
    });
    expect(result?.transcript?.map(({ role }) => role)).toEqual(["user", "assistant", "assistant", "tool"]);
    expect(host.totalUsage).toMatchObject({ inputTokens: 30, outputTokens: 4, totalTokens: 34 });
    expect(JSON.stringify(host.checkpoints[1])).toContain(prompts[0]?.sessionId);
  }
});

test("a failure is an error with its kind, reported once, and its partial result stays [adapter-outcome-14] [adapter-outcome-15]", async () => {
  const { result, error, host } = await runAcme({ turns: [{ steps: WORKS.slice(0, 2), exitCode: 3 }] });
  expect(error).toMatchObject({ code: "adapter.port_exit", retryable: true });
  expect(host.ofType("processing_end").map(({ payload }) => [payload.outcome, payload.error?.code])).toEqual([
    ["failed", "adapter.port_exit"],
  ]);
  expect(result).toMatchObject({ exit_code: 1, final_message: "Done." });
});

test("an agent that cannot be started is reported before anything else [adapter-launch-3] [adapter-events-7]", async () => {
  const { error, host, prompts } = await runAcme({ config: { command: "no-such-agent-here" } });
  expect(error).toMatchObject({ code: "adapter.agent_not_found", retryable: false });
  expect(host.types()).toEqual(["run_start", "processing_end", "run_end"]);
  expect(prompts).toEqual([]);
});

test("an interrupt cancels the turn, stops the session once and keeps the partial result", async () => {
  let stops = 0;
  const host = recordingHost();
  const { error, result } = await runAcme({
    host,
    turns: [{ steps: [...WORKS.slice(0, 2), { do: "hang" }] }],
    wrap: (adapter) => ({
      ...adapter,
      runTurn: (session, turn) => {
        const onEvent: typeof turn.onEvent = (event) => {
          turn.onEvent(event);
          if (event.type === "assistant_text") host.interrupt({ cause: "user_cancel" });
        };
        return adapter.runTurn(session, { ...turn, onEvent });
      },
      stopSession: (session) => {
        stops += 1;
        return adapter.stopSession(session);
      },
    }),
  });
  expect(error).toMatchObject({ code: "run.interrupted" });
  expect(stops).toBe(1);
  expect(result?.final_message).toBe("Done.");
  expect(host.ofType("processing_end")[0]?.payload.outcome).toBe("cancelled");
});

test("the time limit of a case ends it, and a running tool is reported as ended [adapter-timeouts-1]", async () => {
  const tool = { do: "tool", id: "a", name: "Shell" } as const;
  const turns = [{ steps: [...WORKS.slice(0, 2), tool, { do: "hang" } as const] }];
  const { error, host, result } = await runAcme({ turns, input: { timeout_seconds: 1 } });
  expect(error).toMatchObject({ code: "run.timed_out" });
  expect(host.ofType("tool_call_end").map(({ payload }) => [payload.name, payload.is_error])).toEqual([
    ["Shell", true],
  ]);
  expect(result?.final_message).toBe("Done.");
});

test("a used-up budget ends the turn [adapter-usage-3]", async () => {
  const host = recordingHost({ usageFailure: new EngineError("budget.exceeded", { budget: "tokens" }) });
  const usage = { do: "usage", id: "r", inputTokens: 10, outputTokens: 1 } as const;
  const { error } = await runAcme({ host, turns: [{ steps: [...WORKS.slice(0, 2), usage, { do: "hang" }] }] });
  expect(error).toMatchObject({ code: "budget.exceeded" });
});

test("a question without an answer ends the run, and an answer becomes the next turn [adapter-outcome-12]", async () => {
  const asks = { steps: [...WORKS.slice(0, 2), { do: "ask", question: "Left or right?" } as const] };
  const turns = [asks, { steps: WORKS }];
  const alone = await runAcme({ turns });
  expect(alone.error).toMatchObject({ code: "adapter.turn_input_required" });
  const host = recordingHost({ askUser: () => ({ parts: [{ type: "text", text: "Left." }] }) });
  const answered = await runAcme({ turns, host, engine: { asksUser: true } });
  expect(answered.error).toBeUndefined();
  expect(host.prompts[0]?.parts).toEqual([{ type: "text", text: "Left or right?" }]);
  expect(answered.prompts.map(({ prompt, isResumed }) => [prompt, isResumed])).toEqual([
    ["Do it.", false],
    ["Left.", true],
  ]);
  const silent = await runAcme({ turns, engine: { asksUser: true } });
  expect(silent.error).toMatchObject({ code: "adapter.turn_input_required" });
});

test("messages sent during a turn are turns of the same session, up to the limit of turns [adapter-resume-3]", async () => {
  const messages = [
    [{ type: "steer" as const, text: "Faster." }],
    [{ type: "follow_up" as const, text: "And tests." }],
  ];
  const control = () => {
    const remaining = [...messages];
    return { drain: () => remaining.shift() ?? [], onMessage: () => () => {} };
  };
  const { prompts, result } = await runAcme({ control: control() });
  expect(prompts.map(({ prompt }) => prompt)).toEqual(["Do it.", "Faster.", "And tests."]);
  expect(new Set(prompts.map(({ sessionId }) => sessionId)).size).toBe(1);
  expect(result?.turns).toBe(3);
  const limited = await runAcme({ control: control(), input: { max_turns: 2 } });
  expect(limited.prompts).toHaveLength(2);
  expect(limited.host.ofType("turn_limit")[0]?.payload).toEqual({ limit: "max_turns", count: 2 });
});

test("a conversation before the task is sent as text, and a single message unchanged", async () => {
  const messages = [
    { role: "system" as const, content: "Be brief." },
    { role: "user" as const, content: "First." },
    { role: "assistant" as const, content: "Yes." },
    { role: "user" as const, content: "Now this." },
  ];
  const { prompts } = await runAcme({ input: { messages } });
  expect(prompts[0]?.prompt).toContain("[Instructions]\nBe brief.");
  expect(prompts[0]?.prompt).toContain("[Assistant]\nYes.");
  expect(prompts[0]?.prompt.endsWith("Now this.")).toBe(true);
  const known = await runAcme({ input: { messages: messages.slice(1), session_id: "s-1" } });
  expect(known.prompts).toMatchObject([{ prompt: "Now this.", sessionId: "s-1", isResumed: true }]);
});

test("an interrupted turn is not silently repeated: the same session is told about it [D5] [adapter-resume-1]", async () => {
  const first = await runAcme();
  const cut = first.host.checkpoints[1];
  const second = await runAcme({ resumeFrom: cut });
  expect(second.prompts).toHaveLength(1);
  expect(second.prompts[0]).toMatchObject({ isResumed: true, sessionId: first.prompts[0]?.sessionId });
  expect(second.prompts[0]?.prompt).toMatch(/cut off.*Do it\.$/su);
  const over = await runAcme({ resumeFrom: first.host.checkpoints.at(-1) });
  expect(over.prompts).toEqual([]);
  expect(over.result).toEqual(first.result);
});

test("a failed turn is continued by the next attempt in the same session, and the prompt mentions the failure once", async () => {
  const first = await runAcme({ turns: [{ steps: WORKS.slice(0, 2), exitCode: 3 }] });
  const second = await runAcme({
    turns: [{ steps: WORKS.slice(0, 2), exitCode: 3 }],
    resumeFrom: first.host.checkpoints.at(-1),
  });
  expect(second.prompts[0]).toMatchObject({ isResumed: true, sessionId: first.prompts[0]?.sessionId });
  const third = await runAcme({ resumeFrom: second.host.checkpoints.at(-1) });
  expect(third.error).toBeUndefined();
  expect(third.prompts[0]?.prompt).toBe(second.prompts[0]?.prompt);
  expect(third.result).toMatchObject({ exit_code: 0, turns: 3 });
});
