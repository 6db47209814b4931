import type { FinishReason } from "@switchyard/contracts";
import { type AnswerStep, answer, reasoning, text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, counting, createSession, dataOf, type Setup, textsOf } from "../../test/run-session.ts";
import { finalText } from "./final-text.ts";

async function run(setup: Setup) {
  await using workspace = await openWorkspace();
  const { session, client } = createSession(workspace, setup);
  const events = await collect(session.submit("go"));
  return { session, client, events };
}

function ending(step: AnswerStep, unified: FinishReason["unified"], more: Partial<FinishReason> = {}): AnswerStep {
  return { ...step, finishReason: { unified, ...more } };
}

const EMPTY = ending(text(""), "stop");

describe("a response that is not a result", () => {
  test.each([
    ["an empty one", EMPTY, "was empty"],
    ["one of reasoning alone", ending(reasoning("hm"), "stop"), "was empty"],
    ["one of blanks", ending(text(" \n"), "stop"), "was empty"],
    ["one that announces calls", ending(text("I call."), "tool_calls"), "announced tool calls and contained none"],
    [
      "one that ended with an error",
      ending(text("x"), "error", { raw: "MALFORMED_FUNCTION_CALL", problem: "the call was malformed" }),
      "ended with an error (MALFORMED_FUNCTION_CALL): the call was malformed",
    ],
  ])("is retried with the problem reported to the model: %s", async (_, step, problem) => {
    const { session, client } = await run({ steps: [step, toolCall("echo"), text("done")] });
    expect(textsOf(client.requests[1], "user").at(-1)).toContain(`Your last response ${problem}.`);
    expect(session.history.at(-1)).toMatchObject({ content: "done" });
  });

  test("is retried twice in a row, then the input ends; work in between begins a new count", async () => {
    const { client } = await run({ steps: [EMPTY, EMPTY, EMPTY, text("never")] });
    expect(client.requests).toHaveLength(3);
    const worked = await run({ steps: [EMPTY, EMPTY, toolCall("echo"), EMPTY, EMPTY, text("done")] });
    expect(worked.session.history.at(-1)).toMatchObject({ content: "done" });
    const config = { maxResponseRetries: 0 };
    expect((await run({ config, steps: [EMPTY, text("never")] })).client.requests).toHaveLength(1);
  });
});

describe("a response that was cut off at the output limit", () => {
  const half = ending(text("The first half, "), "length", { raw: "max_tokens" });

  test("is continued by a new turn, and the result has all parts", async () => {
    const { session, client } = await run({ steps: [half, text("the second half.")] });
    expect(textsOf(client.requests[1], "user").at(-1)).toMatch(/cut off at the output limit. Continue exactly/u);
    expect(finalText(session.history)).toBe("The first half, the second half.");
  });

  test("is continued three times in a row, and not at all if continuation is switched off", async () => {
    const { client, events } = await run({ steps: Array.from({ length: 9 }, () => half) });
    expect(client.requests).toHaveLength(4);
    expect(dataOf(events, "processing_end")).toMatchObject([{ outcome: "completed" }]);
    const off = await run({ config: { maxContinuations: 0 }, steps: [half, text("never")] });
    expect(off.client.requests).toHaveLength(1);
  });

  test("its tool calls are never executed: the model is told to send them again", async () => {
    const echo = counting("echo");
    const cut = ending(answer(text("I write."), toolCall("echo", '{"content":"hal')), "length");
    const { client, session } = await run({ tools: [echo], steps: [cut, toolCall("echo"), text("done")] });
    expect(echo.calls).toBe(1);
    const results = client.requests[1]?.messages.at(-1);
    expect(JSON.stringify(results)).toContain("Not executed: your response was cut off");
    expect(session.history.at(-1)).toMatchObject({ content: "done" });
  });

  test("stops asking for cut off calls after three times in a row, with a valid history", async () => {
    const echo = counting("echo");
    const cut = (): AnswerStep => ending(toolCall("echo", "{}"), "length");
    const { client, session } = await run({ tools: [echo], steps: Array.from({ length: 9 }, cut) });
    expect([client.requests.length, echo.calls]).toEqual([4, 0]);
    expect(session.history.at(-1)).toMatchObject({ type: "tool_results", results: [{ isError: true }] });
  });
});

test.each(["content_filter", "other"] as const)("%s ends the input", async (unified) => {
  const { client, events } = await run({ steps: [ending(text("no"), unified), text("never")] });
  expect(client.requests).toHaveLength(1);
  expect(dataOf(events, "processing_end")).toMatchObject([{ outcome: "completed" }]);
});

test("a response that the provider paused is sent back as it is", async () => {
  const paused = ending(text("Searching"), "other", { raw: "pause_turn", isPaused: true });
  const { session, client } = await run({ steps: [paused, text(" found.")] });
  expect(client.requests[1]?.messages.at(-1)).toMatchObject({ role: "assistant" });
  expect(finalText(session.history)).toBe("Searching found.");
});
