import { createStepRunner } from "@switchyard/engine";
import { describe, expect, test } from "vitest";
import { createCustomEngine, loadEngineConfig } from "../src/index.ts";
import { openWorkspace } from "./open-workspace.ts";
import { script } from "./script-engine.ts";

describe("step by step", () => {
  const BODY =
    'fs.appendFileSync("calls", "x"); reply({ final_message: fs.readFileSync("calls", "utf8"), session_id: "s" })';
  const messages = ["one", "two"].map((content) => ({ role: "user" as const, content }));

  async function begin(effects: string) {
    const workspace = await openWorkspace();
    const custom = script(BODY, { effects, conversation_mode: "stateful" });
    const { custom: config } = loadEngineConfig({ name: "mine", custom }, { env: {} });
    if (config === undefined) throw new Error("It is no custom engine.");
    const engine = createCustomEngine(config);
    const runner = createStepRunner({ engine, environment: workspace.environment });
    const first = await runner.advance(undefined, { session: { messages } });
    return { workspace, runner, first };
  }

  test("each call is declared in one step and made in the next", async () => {
    const { workspace, runner, first } = await begin("unsafe");
    await using _ = workspace;
    expect(first.effects).toMatchObject([{ id: "call-1", name: "mine", effects: "unsafe" }]);
    let step = first;
    while (step.status === "working") step = await runner.advance(step.state, { claim: runner.claim() });
    expect([step.status, step.result?.final_message]).toEqual(["completed", "xx"]);
  });

  test("a step that is repeated does not repeat an unsafe call [D4]", async () => {
    const { workspace, runner, first } = await begin("unsafe");
    await using _ = workspace;
    const claim = runner.claim();
    await runner.advance(first.state, { claim });
    const repeated = await runner.advance(first.state, { claim });
    expect([repeated.status, repeated.error?.code]).toEqual(["failed", "transport.unknown_outcome"]);
    expect(await workspace.read("calls")).toBe("x");
  });

  test("a step that is repeated repeats an idempotent call", async () => {
    const { workspace, runner, first } = await begin("idempotent");
    await using _ = workspace;
    expect(first.needsClaim).toBe(false);
    await runner.advance(first.state);
    const repeated = await runner.advance(first.state);
    expect([repeated.status, await workspace.read("calls")]).toEqual(["working", "xx"]);
  });
});
