import { type Checkpoint, EngineError } from "@switchyard/contracts";
import { text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { counting } from "../../test/run-session.ts";
import { checkpointsOf, codeOf, type RunSetup, startRun } from "../../test/start-run.ts";
import { createOpenAiProfile } from "../index.ts";

describe("a checkpoint from which a run cannot resume", () => {
  async function refusalOf(change: (checkpoint: Checkpoint) => unknown, setup: Partial<RunSetup> = {}) {
    await using workspace = await openWorkspace();
    const tools = [counting("look", "readonly")];
    const [intents] = await checkpointsOf(workspace, { tools, steps: [toolCall("look"), text("done")] });
    const copy: Checkpoint = JSON.parse(JSON.stringify(intents));
    const from: Checkpoint = { ...copy, ...Object(change(copy)) };
    const { client, host, execution } = startRun(workspace, { tools, from, steps: [], ...setup });
    const code = await codeOf(execution);
    expect(client.requests, "the model was asked").toEqual([]);
    expect(host.ofType("tool_call_start"), "a tool ran").toEqual([]);
    return code;
  }
  const vars = ({ board }: Checkpoint, changes: object): object => ({
    board: { ...board, vars: { ...board.vars, ...changes } },
  });
  const payload = (checkpoint: Checkpoint, changes: object): object => ({
    payload: { ...Object(checkpoint.payload), ...changes },
  });
  const progress = (checkpoint: Checkpoint, changes: object): object =>
    payload(checkpoint, { progress: { ...Object(Reflect.get(Object(checkpoint.payload), "progress")), ...changes } });

  test("is refused when another definition made it, and a missing version is not compared [D11] [engine-checkpoint-7] [engine-checkpoint-8]", async () => {
    expect(await refusalOf(() => ({ specVersion: "agent-2/anthropic" }))).toBe("checkpoint.drifted");
    expect(await refusalOf(() => ({}), { profile: createOpenAiProfile({ model: "gpt" }) })).toBe("checkpoint.drifted");
    expect(await refusalOf(() => ({}), { version: "2" })).toBe("checkpoint.drifted");
    await using workspace = await openWorkspace();
    const tools = [counting("look", "readonly")];
    const [intents] = await checkpointsOf(workspace, { tools, steps: [toolCall("look"), text("done")] });
    for (const specVersion of ["", undefined]) {
      const from = intents === undefined ? undefined : { ...intents, specVersion };
      await startRun(workspace, { tools, from, steps: [text("done")], version: "2" }).execution;
    }
  });

  test("is refused when it is another run's or a newer release's [D11]", async () => {
    expect(await refusalOf(() => ({ execId: "run-2" }))).toBe("checkpoint.foreign");
    expect(await refusalOf((checkpoint) => progress(checkpoint, { version: 2 }))).toBe("checkpoint.newer_format");
  });

  test.each<[string, (checkpoint: Checkpoint) => object]>([
    ["no payload", () => ({ payload: undefined })],
    ["a payload of another engine", () => ({ payload: { node: "a" } })],
    ["a text as payload", () => ({ payload: "{}" })],
    ["an unknown boundary", (checkpoint) => payload(checkpoint, { boundary: "elsewhere" })],
    ["no time", (checkpoint) => payload(checkpoint, { activeMs: "long" })],
    ["no progress", (checkpoint) => payload(checkpoint, { progress: null })],
    ["negative rounds", (checkpoint) => progress(checkpoint, { rounds: -1 })],
    ["steering that is no text", (checkpoint) => progress(checkpoint, { steering: [1] })],
    ["a first turn behind the last", (checkpoint) => progress(checkpoint, { firstTurn: 9 })],
    ["no turns", (checkpoint) => vars(checkpoint, { __agent_turns: undefined })],
    ["turns that are none", (checkpoint) => vars(checkpoint, { __agent_turns: [{ type: "user", content: 1 }] })],
    [
      "results without calls",
      (checkpoint) => vars(checkpoint, { __agent_turns: [{ type: "tool_results", results: [], timestamp: "" }] }),
    ],
    ["a prompt that is no text", (checkpoint) => vars(checkpoint, { __agent_prompt: 1 })],
    ["no input", (checkpoint) => vars(checkpoint, { __session_input: undefined })],
  ])("is refused with class validation when it has %s [D3]", async (_, change) => {
    expect(await refusalOf(change)).toBe("checkpoint.invalid");
    expect(new EngineError("checkpoint.invalid").class).toBe("validation");
  });
});
