import { type ControlMessage, EngineError } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { runAcme, WORKS } from "../../test/run-acme.ts";

const LOST = { steps: [{ do: "stderr", text: "no such session: x" } as const], exitCode: 1 };
const USED = {
  steps: [...WORKS.slice(0, 2), { do: "end", kind: "success", inputTokens: 30, outputTokens: 4 } as const],
};

function controlOf(...messages: readonly ControlMessage[]) {
  const remaining = [...messages];
  return { drain: () => remaining.splice(0, 1), onMessage: () => () => {} };
}

describe("a session that the agent does not have [adapter-resume-6]", () => {
  test("is replaced at once after a turn that was cut off: the task is sent again with the warning [D5]", async () => {
    const first = await runAcme();
    const { prompts, error, result, host } = await runAcme({
      turns: [LOST, USED],
      resumeFrom: first.host.checkpoints[1],
    });
    expect(error).toBeUndefined();
    expect(prompts.map(({ isResumed }) => isResumed)).toEqual([true, false]);
    expect(prompts[1]?.prompt).toMatch(/cut off.*Do it\.$/su);
    expect(result).toMatchObject({ exit_code: 0, turns: 1, input_tokens: 30, session_id: prompts[1]?.sessionId });
    const [{ payload } = { payload: undefined }] = host.ofType("session_replaced");
    expect(payload?.session_id).toBe(first.prompts[0]?.sessionId);
    expect(payload?.message).toContain("no such session: x");
    expect(payload?.message).toContain("is unknown");
  });

  test("is replaced between two turns: the new one receives the conversation, and tokens of both count", async () => {
    const control = controlOf({ type: "follow_up", text: "And tests." });
    const { prompts, error, result, host } = await runAcme({ turns: [USED, LOST, USED], control });
    expect(error).toBeUndefined();
    expect(prompts[2]?.isResumed).toBe(false);
    expect(prompts[2]?.prompt).toContain("[User]\nDo it.");
    expect(prompts[2]?.prompt).toContain("[Assistant]\nDone.");
    expect(prompts[2]?.prompt.endsWith("And tests.")).toBe(true);
    expect(prompts[2]?.prompt).not.toContain("cut off");
    expect(result).toMatchObject({ turns: 2, input_tokens: 60, output_tokens: 8 });
    expect(host.totalUsage).toMatchObject({ inputTokens: 60 });
  });

  test("receives the conversation that was sent before the task", async () => {
    const messages = [
      { role: "user" as const, content: "First." },
      { role: "assistant" as const, content: "Yes." },
      { role: "user" as const, content: "Now this." },
    ];
    const { prompts } = await runAcme({ turns: [LOST, { steps: WORKS }], input: { messages, session_id: "s-1" } });
    expect(prompts.map(({ prompt }) => prompt.includes("[Assistant]\nYes."))).toEqual([false, true]);
  });

  test("is an error if a new session does not exist either", async () => {
    const { prompts, error } = await runAcme({ turns: [LOST, LOST], input: { session_id: "s-1" } });
    expect(prompts).toHaveLength(2);
    expect(error).toMatchObject({ code: "adapter.port_exit" });
  });

  test("is not assumed after another failure, nor after the same text in a new session", async () => {
    const other = { steps: [{ do: "stderr", text: "disk full" } as const], exitCode: 1 };
    const failed = await runAcme({ turns: [other], input: { session_id: "s-1" } });
    expect([failed.error?.code, failed.prompts.length]).toEqual(["adapter.port_exit", 1]);
    const worked = { steps: [...WORKS.slice(0, 2), ...LOST.steps], exitCode: 1 };
    const late = await runAcme({ turns: [worked], input: { session_id: "s-1" } });
    expect([late.error?.code, late.prompts.length]).toEqual(["adapter.port_exit", 1]);
  });

  test("is replaced if an adapter notices it when it starts the session", async () => {
    const { prompts, error, host } = await runAcme({
      input: { session_id: "s-1" },
      wrap: (adapter) => ({
        ...adapter,
        startSession: (options) =>
          options.resumeSessionId === undefined
            ? adapter.startSession(options)
            : Promise.reject(new EngineError("adapter.session_not_found", { problem: "it is of another process" })),
      }),
    });
    expect(error).toBeUndefined();
    expect(prompts.map(({ isResumed }) => isResumed)).toEqual([false]);
    expect(host.types().slice(0, 3)).toEqual(["run_start", "session_replaced", "user_input"]);
  });
});
