import type { RegisteredTool } from "@switchyard/contracts";
import { createStepRunner, type Step, type StepRunner, type StepState } from "@switchyard/engine";
import { type ScriptStep, scriptedClient, text, toolCall, toolCalls } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { type AgentEngineOptions, createAgentEngine, createAnthropicProfile } from "../src/index.ts";
import { call, familyClient, textParts } from "./family-client.ts";
import { openWorkspace, type Workspace } from "./open-workspace.ts";
import { counting, tool } from "./run-session.ts";

function runnerOf(
  workspace: Workspace,
  steps: readonly ScriptStep[],
  options: Partial<AgentEngineOptions>,
): StepRunner {
  const engine = createAgentEngine({
    client: scriptedClient(steps),
    profile: createAnthropicProfile({ model: "claude" }),
    ...options,
  });
  return createStepRunner({ engine, engineName: "agent", environment: workspace.environment });
}

/** Stores the state as text, as a durable host does. */
function stored(state: StepState): StepState {
  return JSON.parse(JSON.stringify(state));
}

function unsafeTool(name: string): { tool: RegisteredTool; calls: string[] } {
  const calls: string[] = [];
  return {
    calls,
    tool: tool(name, (args) => {
      calls.push(JSON.stringify(args));
      return "made";
    }),
  };
}

describe("an agent that is executed step by step", () => {
  test("starts an unsafe call in the step after its checkpoint, with an idempotency key", async () => {
    await using workspace = await openWorkspace();
    const { tool: pay, calls } = unsafeTool("pay");
    const runner = runnerOf(workspace, [toolCall("pay", { amount: 1 }), text("paid")], { tools: [pay] });
    const first = await runner.advance(undefined, { runId: "r1", prompt: "pay" });
    expect([first.status, first.needsClaim, calls]).toEqual(["working", true, []]);
    expect(first.effects).toMatchObject([{ name: "pay", effects: "unsafe", key: expect.stringMatching(/^r1\//) }]);
    const second = await runner.advance(stored(first.state), { claim: runner.claim() });
    expect([second.status, second.effects, calls]).toEqual(["working", [], ['{"amount":1}']]);
    const third = await runner.advance(stored(second.state));
    expect([third.status, third.result?.final_message, third.result?.exit_code]).toEqual(["completed", "paid", 0]);
    const events = [first, second, third].flatMap((step) => step.events);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const types = events.map(({ type }) => type);
    for (const type of ["run_start", "session_start", "tool_call_start", "tool_call_end", "session_end", "run_end"]) {
      expect(types.filter((candidate) => candidate === type)).toEqual([type]);
    }
    await expect(runner.advance(third.state)).rejects.toMatchObject({ code: "run.finished" });
  });

  test("never repeats an unsafe call when a step is repeated, and tells the model [D4] [D5]", async () => {
    await using workspace = await openWorkspace();
    const { tool: pay, calls } = unsafeTool("pay");
    const runner = runnerOf(workspace, [toolCall("pay"), text("checked")], { tools: [pay] });
    const first = await runner.advance(undefined, { prompt: "pay" });
    const claim = runner.claim();
    await runner.advance(stored(first.state), { claim });
    // The process died after the call and before its step was stored, so the step is repeated with the stored claim.
    const repeated = await runner.advance(stored(first.state), { claim });
    expect(calls).toHaveLength(1);
    const [end] = repeated.events.filter(({ type }) => type === "tool_call_end");
    expect(end?.payload).toMatchObject({ content: expect.stringMatching(/^unknown_outcome/), is_error: true });
    const last = await runner.advance(repeated.state);
    expect(last.result?.final_message).toBe("checked");
  });

  test("keeps the results of other calls of a round while a question waits", async () => {
    await using workspace = await openWorkspace();
    const { tool: pay, calls } = unsafeTool("pay");
    const round = toolCalls([
      { name: "pay", arguments: {} },
      { name: "ask_user", arguments: { question: "Really?" } },
    ]);
    const runner = runnerOf(workspace, [round, text("done")], { tools: [pay], askUser: true });
    const first = await runner.advance(undefined, { prompt: "pay" });
    const steps = [first];
    let waiting = first;
    // The question may end a step before the other call has started. The next step then starts the call.
    while (waiting.needsClaim) {
      waiting = await runner.advance(stored(waiting.state), { claim: runner.claim() });
      steps.push(waiting);
    }
    expect([waiting.status, waiting.questions.length, calls.length]).toEqual(["waiting", 1, 1]);
    const again = await runner.advance(stored(waiting.state));
    expect([again.status, again.events, again.questions]).toEqual(["waiting", [], waiting.questions]);
    const answers = { [waiting.questions[0]?.id ?? ""]: "yes" };
    const answered = await runner.advance(stored(again.state), { answers });
    const last = await runner.advance(stored(answered.state));
    expect([last.status, calls.length]).toEqual(["completed", 1]);
    const types = [...steps, again, answered, last].flatMap(({ events }) => events.map(({ type }) => type));
    const count = (type: string): number => types.filter((candidate) => candidate === type).length;
    expect(["tool_call_start", "tool_call_end", "user_prompted", "user_replied"].map(count)).toEqual([2, 2, 1, 1]);
    expect(last.result?.transcript?.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual([
      "made",
      expect.stringContaining("yes"),
    ]);
  });

  test("executes an approved call once, even if another process continues the run", async () => {
    await using workspace = await openWorkspace();
    const { tool: pay, calls } = unsafeTool("pay");
    const options = { tools: [pay], approval: { rules: [] } };
    const one = runnerOf(workspace, [toolCall("pay")], options);
    const first = await one.advance(undefined, { prompt: "pay" });
    const waiting = await one.advance(stored(first.state), { claim: one.claim() });
    expect([waiting.status, waiting.needsClaim, calls]).toEqual(["waiting", true, []]);
    const other = runnerOf(workspace, [text("paid")], options);
    const answers = { [waiting.questions[0]?.id ?? ""]: "allow_once" };
    const paid = await other.advance(stored(waiting.state), { answers, claim: other.claim() });
    const last: Step = await other.advance(stored(paid.state));
    expect([last.status, calls.length]).toEqual(["completed", 1]);
  });

  test("receives messages once, also if the step that read them is repeated", async () => {
    await using workspace = await openWorkspace();
    const look = counting("look", "readonly");
    const runner = runnerOf(workspace, [toolCall("look"), text("one"), text("two")], { tools: [look] });
    const first = await runner.advance(undefined, { prompt: "look" });
    const messages = [{ type: "steer" as const, text: "be quick" }];
    const second = await runner.advance(stored(first.state), { messages });
    const last = await runner.advance(stored(second.state));
    expect(last.status).toBe("completed");
    const injected = [first, second, last].flatMap(({ events }) =>
      events.filter(({ type }) => type === "steering_injected"),
    );
    expect(injected.map(({ payload }) => payload)).toEqual([{ content: "be quick" }]);
  });

  test("can be cancelled in a step, and between two", async () => {
    await using workspace = await openWorkspace();
    const controller = new AbortController();
    const wait = tool("wait", (_args, _environment, { signal }) => {
      setImmediate(() => controller.abort());
      return new Promise<string>((resolve) =>
        signal.addEventListener("abort", () => resolve("stopped"), { once: true }),
      );
    });
    const runner = runnerOf(workspace, [toolCall("wait"), text("no")], { tools: [wait] });
    const first = await runner.advance(undefined, { prompt: "wait" });
    const cancelled = await runner.advance(first.state, { claim: runner.claim(), signal: controller.signal });
    expect([cancelled.status, cancelled.error?.code, cancelled.events.at(-1)?.type]).toEqual([
      ...["cancelled", "run.cancelled", "run_end"],
    ]);
    const before = await runner.advance(first.state, { claim: runner.claim(), signal: controller.signal });
    expect([before.status, before.events.at(-1)?.type]).toEqual(["cancelled", "run_end"]);
  });

  test("makes the unsafe calls of subagents once, side by side", async () => {
    await using workspace = await openWorkspace();
    const { tool: pay, calls } = unsafeTool("pay");
    const client = familyClient({
      scripts: {
        go: [
          call(["spawn_agent", { task: "one" }], ["spawn_agent", { task: "two" }]),
          call(["wait", { agent_id: "agent-1" }], ["wait", { agent_id: "agent-2" }]),
          textParts("all paid"),
        ],
        one: [call(["pay", { to: "one" }]), call(["pay", { to: "more" }]), textParts("paid one")],
        two: [call(["pay", { to: "two" }]), textParts("paid two")],
      },
    });
    const runner = runnerOf(workspace, [], { client, tools: [pay] });
    let step = await runner.advance(undefined, { prompt: "go" });
    const events = [...step.events];
    while (step.status === "working") {
      step = await runner.advance(stored(step.state), { claim: runner.claim() });
      events.push(...step.events);
    }
    expect([step.status, step.result?.final_message]).toEqual(["completed", "all paid"]);
    expect(calls.toSorted()).toEqual(['{"to":"more"}', '{"to":"one"}', '{"to":"two"}']);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  });
});
