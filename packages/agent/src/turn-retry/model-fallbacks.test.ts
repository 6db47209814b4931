import { EngineError } from "@switchyard/contracts";
import { answer, failure, type ScriptStep, text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, counting, createSession, dataOf, type Setup } from "../../test/run-session.ts";

const SECOND = { provider: "openai", model: "second" };
const THIRD = { provider: "gemini", model: "third" };
const BROKEN = new EngineError("llm.stream_broken", { provider: "p", problem: "reset" });
const PARTIAL = answer(text("partial "), toolCall("echo"));
const DENIED = new EngineError("llm.access_denied", { provider: "p", status: 403 });
const INVALID = new EngineError("llm.invalid_request", { provider: "p", status: 400, problem: "bad" });

async function run(steps: readonly ScriptStep[], setup: Partial<Setup> = {}) {
  await using workspace = await openWorkspace();
  const waits: number[] = [];
  const delay = async (delayMs: number): Promise<void> => {
    waits.push(delayMs);
  };
  const turnRetry = { jitter: 0, delay, ...setup.turnRetry };
  const { session, client } = createSession(workspace, {
    ...{ steps, fallbackModels: [SECOND], tools: [counting("echo")] },
    ...setup,
    turnRetry: setup.turnRetry === false ? false : turnRetry,
  });
  const events = await collect(session.submit("go"));
  const models = client.requests.map(({ provider, model }) => `${provider}/${model}`);
  return { session, client, events, waits, models, fallbacks: dataOf(events, "model_fallback") };
}

const broken = (): ScriptStep => failure(BROKEN, { after: PARTIAL });

describe("a session with fallback models", () => {
  test("calls the next one when streams of the first break in the middle again and again", async () => {
    const steps = [broken(), broken(), broken(), toolCall("echo"), text("done")];
    const { models, fallbacks, waits, session, client } = await run(steps);
    const first = "anthropic/claude";
    expect(models).toEqual([first, first, first, "openai/second", "openai/second"]);
    expect(waits).toEqual([1_000, 2_000]);
    expect(fallbacks).toMatchObject([{ from: first, to: "openai/second", error: { code: "llm.stream_broken" } }]);
    expect(session.failure).toBeUndefined();
    expect(JSON.stringify([session.history, client.requests.at(-1)?.messages])).not.toContain("partial");
  });

  test("calls the next one at once when retrying is useless, or switched off", async () => {
    const useless = await run([failure(DENIED), text("done")]);
    expect([useless.waits, useless.models]).toEqual([[], ["anthropic/claude", "openai/second"]]);
    const off = await run([broken(), text("done")], { turnRetry: false });
    expect([off.waits, off.models]).toEqual([[], ["anthropic/claude", "openai/second"]]);
    expect(off.session.history.filter(({ type }) => type === "assistant")).toHaveLength(1);
  });

  test("stays with the first one when it responds in time, and when the request itself is refused", async () => {
    const recovered = await run([broken(), broken(), toolCall("echo"), broken(), broken(), text("done")]);
    expect([recovered.fallbacks, new Set(recovered.models)]).toEqual([[], new Set(["anthropic/claude"])]);
    const refused = await run([failure(INVALID), text("no")]);
    expect([refused.fallbacks, refused.session.failure?.code]).toEqual([[], "llm.invalid_request"]);
  });

  test("calls the first one again after the last, with a wait, until the total wait is used up", async () => {
    const steps = Array.from({ length: 40 }, broken);
    const turnRetry = { maxTotalDelayMs: 200_000 };
    const { models, waits, session } = await run(steps, { fallbackModels: [SECOND, THIRD], turnRetry });
    const [first, second, third] = ["anthropic/claude", "openai/second", "gemini/third"];
    const round = [first, second, third].flatMap((model) => [model, model, model]);
    expect(models.slice(0, 12)).toEqual([...round, first, first, first]);
    expect(waits.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000));
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(200_000);
    expect(session.failure?.code).toBe("llm.stream_broken");
  });

  test("calls the model that the host sets, also while a fallback is in use", async () => {
    await using workspace = await openWorkspace();
    const steps = [failure(DENIED), text("one"), text("two"), text("three")];
    const { session, client } = createSession(workspace, { steps, fallbackModels: [SECOND] });
    await collect(session.submit("go"));
    await collect(session.submit("on"));
    session.config.model = "claude-next";
    await collect(session.submit("on"));
    expect(client.requests.map(({ model }) => model)).toEqual(["claude", "second", "second", "claude-next"]);
  });

  test("fails with the last failure when no model is left and retrying is useless", async () => {
    const { models, session, fallbacks } = await run([failure(DENIED), failure(DENIED), text("no")]);
    expect([models, fallbacks.length, session.failure?.code]).toEqual([
      ["anthropic/claude", "openai/second"],
      1,
      "llm.access_denied",
    ]);
  });

  test("counts the usage of the responses that were discarded before the change", async () => {
    const usage = { inputTokens: 70, outputTokens: 5, totalTokens: 75 };
    const paid = new EngineError("llm.stream_broken", { provider: "p", problem: "reset", usage });
    const last = answer({ ...text("done"), usage: { inputTokens: 80, outputTokens: 9, totalTokens: 89 } });
    const { session } = await run([failure(paid, { after: PARTIAL }), last], { turnRetry: false });
    expect(session.usage).toMatchObject({ inputTokens: 150, outputTokens: 14, totalTokens: 164 });
  });
});
