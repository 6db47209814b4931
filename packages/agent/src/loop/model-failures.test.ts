import { EngineError } from "@switchyard/contracts";
import { answer, failure, scriptedClient, text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf, typesOf } from "../../test/run-session.ts";
import { createAnthropicProfile, Session } from "../index.ts";

describe("failures of the model", () => {
  test("a refused key surfaces at once and closes the session [loop-2.3-7] [loop-2.8-3] [loop-9.11-3] [loop-B-9]", async () => {
    await using workspace = await openWorkspace();
    const error = new EngineError("llm.authentication", {
      provider: "anthropic",
      status: 401,
      problem: "no",
      variable: "ANTHROPIC_API_KEY",
    });
    const { session, client } = createSession(workspace, { steps: [failure(error), text("never")] });
    const events = await collect(session.submit("go"));
    expect(typesOf(events)).toEqual(["session_start", "user_input", "error", "session_end"]);
    expect(dataOf(events, "error")).toEqual([error.toWire()]);
    expect(session.state).toBe("closed");
    expect(session.failure).toBe(error);
    expect(client.requests).toHaveLength(1);
  });

  test("a transient failure leaves the session idle", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      turnRetry: false,
      steps: [failure(new EngineError("llm.server_error", { provider: "p", status: 503 })), text("better")],
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "processing_end")[0]).toMatchObject({
      outcome: "failed",
      error: { code: "llm.server_error" },
    });
    await collect(session.submit("again"));
    expect(session.history.at(-1)).toMatchObject({ content: "better" });
  });

  test.each([
    new EngineError("llm.stream_stalled", { provider: "p", timeoutMs: 60_000 }),
    new EngineError("llm.stream_broken", { provider: "p", problem: "reset" }),
    new EngineError("llm.network", { url: "http://localhost", problem: "reset" }),
  ])(
    "a stream that stalls or is reset in the middle of a call fails the input, and the next one continues: $code",
    async (error) => {
      await using workspace = await openWorkspace();
      const broken = failure(error, { after: answer(text("I will"), toolCall("echo")) });
      const { session, client } = createSession(workspace, { turnRetry: false, steps: [broken, text("better")] });
      const events = await collect(session.submit("go"));
      expect(dataOf(events, "error")).toEqual([error.toWire()]);
      expect(dataOf(events, "tool_call_start")).toEqual([]);
      await collect(session.submit("again"));
      const parts = client.requests[1]?.messages.flatMap((message) => message.parts) ?? [];
      expect(parts.map(({ type }) => type)).toEqual(["text", "text", "text", "text"]);
      expect(session.history.at(-1)).toMatchObject({ content: "better" });
    },
  );

  test("a broken stream preserves the text that was shown and no partial tool call", async () => {
    await using workspace = await openWorkspace();
    const broken = failure(new EngineError("llm.stream_broken", { provider: "p", problem: "reset" }), {
      after: answer(text("I will"), toolCall("echo")),
    });
    const { session } = createSession(workspace, { turnRetry: false, steps: [broken] });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "assistant_text_end")).toEqual([{ content: "I will", finish_reason: "error" }]);
    expect(session.history.at(-1)).toMatchObject({ type: "assistant", content: "I will", toolCalls: [] });
  });

  test("a stream that ends without its answer is a broken one", async () => {
    await using workspace = await openWorkspace();
    const client = {
      ...scriptedClient([]),
      async *stream() {
        yield { type: "text_delta", textId: "1", text: "hm" } as const;
      },
    };
    const session = new Session({
      profile: createAnthropicProfile({ model: "m" }),
      environment: workspace.environment,
      client,
      turnRetry: false,
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "error")[0]).toMatchObject({ code: "llm.stream_broken" });
  });

  test.each([
    ["an empty answer", []],
    ["an answer of blanks", text(" \n").parts],
  ])("%s ends the input with a warning and is not sent back", async (_, parts) => {
    await using workspace = await openWorkspace();
    const config = { maxResponseRetries: 0 };
    const { session, client } = createSession(workspace, { config, steps: [{ kind: "answer", parts }, text("ok")] });
    expect(dataOf(await collect(session.submit("go")), "warning")[0]).toMatchObject({ kind: "empty_answer" });
    await collect(session.submit("on"));
    expect(client.requests[1]?.messages.map((message) => message.role)).toEqual(["system", "user", "user"]);
  });

  test.each([
    ["an empty text", [{ type: "text", text: "" } as const]],
    ["reasoning alone", [{ type: "thinking", text: "hm" } as const, { type: "text", text: "" } as const]],
  ])("%s is not sent back either: providers refuse it", async (_, parts) => {
    await using workspace = await openWorkspace();
    const config = { maxResponseRetries: 0 };
    const { session, client } = createSession(workspace, { config, steps: [{ kind: "answer", parts }, text("ok")] });
    await collect(session.submit("go"));
    await collect(session.submit("on"));
    expect(client.requests[1]?.messages.map((message) => message.role)).toEqual(["system", "user", "user"]);
  });

  test("each retry of the client is an event [loop-B-12]", async () => {
    await using workspace = await openWorkspace();
    const { session } = createSession(workspace, {
      steps: [
        (request) => {
          request.onRetry?.({
            attempt: 1,
            delayMs: 500,
            error: new EngineError("llm.rate_limited", { provider: "p", status: 429 }),
          });
          return text("done");
        },
      ],
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "model_call_retried")).toMatchObject([
      { attempt: 1, delay_ms: 500, error: { code: "llm.rate_limited" } },
    ]);
  });

  test("a budget that is used up ends the session, and its open calls are answered [loop-2.5-27]", async () => {
    await using workspace = await openWorkspace();
    const error = new EngineError("budget.exceeded", { budget: "tokens", used: 2, limit: 1 });
    const { session } = createSession(workspace, {
      reportUsage: () => Promise.reject(error),
      steps: [toolCall("echo")],
    });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "error")).toEqual([error.toWire()]);
    expect(dataOf(events, "tool_call_start")).toEqual([]);
    expect(session.history.at(-1)).toMatchObject({
      type: "tool_results",
      results: [{ toolCallId: "call_1", isError: true }],
    });
  });
});
