import { EngineError } from "@switchyard/contracts";
import { failure, recordingHost, text, toolCall } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { tool } from "../../test/run-session.ts";
import { codeOf, startRun } from "../../test/start-run.ts";

const stepsIn = (host: ReturnType<typeof recordingHost>) =>
  host.envelopes
    .filter(({ type }) => type.startsWith("step_"))
    .map(({ subject }) => subject.replace("engine.run.run-1.step.", ""));

test("each answer with its tools is a step of the agent that begins and ends once [engine-subjects-3, engine-subjects-5, engine-subjects-6]", async () => {
  await using workspace = await openWorkspace({ "a.txt": "hello" });
  const { host, execution } = startRun(workspace, {
    steps: [toolCall("read_file", { file_path: "a.txt" }), text("It says hello.")],
  });
  await execution;
  expect(stepsIn(host)).toEqual([
    "agent_iter1.start",
    "agent_iter1.complete",
    "agent_iter2.start",
    "agent_iter2.complete",
  ]);
  const [call] = host.ofType("tool_call_start");
  expect(call?.subject).toBe("engine.run.run-1.stream.agent_iter1.delta");
  expect(call?.headers["agent_id"]).toBe("agent");
});

test("a step whose answer breaks off fails with the reason [engine-subjects-5]", async () => {
  await using workspace = await openWorkspace({});
  const broken = new EngineError("llm.access_denied", { provider: "anthropic", status: 403, problem: "no" });
  const { host, execution } = startRun(workspace, { steps: [failure(broken, { after: text("I begin") })] });
  expect(await codeOf(execution)).toBe("llm.access_denied");
  expect(stepsIn(host)).toEqual(["agent_iter1.start", "agent_iter1.error"]);
  expect(host.ofType("step_error")[0]?.payload.error?.code).toBe("llm.access_denied");
});

test("a step that is interrupted in its tools fails as cancelled, before the session ends [engine-subjects-5]", async () => {
  await using workspace = await openWorkspace({});
  const host = recordingHost();
  const { execution } = startRun(workspace, {
    host,
    steps: [toolCall("interrupting", {})],
    tools: [
      tool("interrupting", async (_args, _environment, { signal }) => {
        host.interrupt({ cause: "user_cancel" });
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
        return "stopped";
      }),
    ],
  });
  expect(await codeOf(execution)).toBe("run.interrupted");
  expect(stepsIn(host)).toEqual(["agent_iter1.start", "agent_iter1.error"]);
  expect(host.types().slice(-3)).toEqual(["step_error", "session_end", "run_end"]);
});

test("a call that fails before its first output begins no step", async () => {
  await using workspace = await openWorkspace({});
  const { host, execution } = startRun(workspace, { steps: [failure(new EngineError("llm.authentication"))] });
  expect(await codeOf(execution)).toBe("llm.authentication");
  expect(stepsIn(host)).toEqual([]);
});
