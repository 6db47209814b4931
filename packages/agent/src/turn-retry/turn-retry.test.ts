import { areRetriesExhausted, EngineError, type RetryOptions } from "@switchyard/contracts";
import { answer, failure, type ScriptStep, text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, counting, createSession, dataOf, gate, type Setup, textsOf } from "../../test/run-session.ts";
import type { SessionBoundary } from "../index.ts";

/** Creates retry options that do not wait, and records the planned waits. */
function instantly(policy: RetryOptions = {}) {
  const waits: number[] = [];
  const delay = async (delayMs: number): Promise<void> => {
    waits.push(delayMs);
  };
  return { waits, turnRetry: { jitter: 0, delay, ...policy } };
}

function status(code: 408 | 429 | 503 | 529, details: Readonly<Record<string, unknown>> = {}): EngineError {
  const name = code === 408 ? "llm.invalid_request" : code === 429 ? "llm.rate_limited" : "llm.server_error";
  return new EngineError(name, { provider: "p", status: code, problem: "no", ...details });
}

const RESET = new EngineError("llm.stream_broken", { provider: "p", problem: "reset" });
const PARTIAL = answer(text("partial "), toolCall("echo"));

async function run(setup: Setup) {
  await using workspace = await openWorkspace();
  const { session, client } = createSession(workspace, setup);
  const events = await collect(session.submit("go"));
  return { session, client, events };
}

describe("a turn whose model call failed", () => {
  test.each([
    ["broken in its text", RESET, { after: answer(text("partial ")) }],
    ["broken in a tool call", RESET, { after: PARTIAL }],
    ["stalled", new EngineError("llm.stream_stalled", { provider: "p", timeoutMs: 1 }), { after: PARTIAL }],
    ["reset before it began", new EngineError("llm.network", { url: "u", problem: "reset" }), {}],
    ["an error event after some text", status(503), { after: answer(text("partial ")) }],
    ["408", status(408), {}],
    ["429", status(429), {}],
    ["529", status(529), {}],
  ])("%s is retried: tools run once, and the partial response is nowhere", async (_, error, after) => {
    const echo = counting("echo");
    const { turnRetry, waits } = instantly();
    const steps = [toolCall("echo"), toolCall("echo"), failure(error, after), failure(error, after), text("done")];
    const { session, client, events } = await run({ tools: [echo], turnRetry, steps });
    expect(dataOf(events, "processing_end")).toMatchObject([{ outcome: "completed" }]);
    expect(waits).toEqual([1_000, 2_000]);
    expect(echo.calls).toBe(2);
    expect(JSON.stringify([session.history, client.requests.at(-1)?.messages])).not.toContain("partial");
    expect(client.requests[4]?.messages).toEqual(client.requests[2]?.messages);
    expect(dataOf(events, "error")).toEqual([]);
    expect(dataOf(events, "model_call_retried")).toMatchObject([
      {
        attempt: 1,
        delay_ms: 1_000,
        level: "turn",
        waited_ms: 1_000,
        max_wait_ms: 600_000,
        error: { code: error.code },
      },
      { attempt: 2, delay_ms: 2_000, level: "turn", waited_ms: 3_000 },
    ]);
  });

  test("reports when the next attempt begins, and whether a part of the response was discarded", async () => {
    const { turnRetry } = instantly();
    const steps = [failure(status(503)), failure(RESET, { after: PARTIAL }), text("done")];
    const { events } = await run({ turnRetry, steps, now: () => 0 });
    expect(dataOf(events, "model_call_retried")).toMatchObject([
      { retry_at: "1970-01-01T00:00:01.000Z", is_partial: false },
      { retry_at: "1970-01-01T00:00:02.000Z", is_partial: true },
    ]);
    expect(dataOf(events, "assistant_text_end")[0]).toEqual({ content: "", finish_reason: "retried" });
  });

  test("is retried after the wait that the provider asks for, up to the total", async () => {
    const asks = (seconds: number) => failure(status(429, { retryAfterMs: seconds * 1_000 }));
    const { turnRetry, waits } = instantly();
    await run({ turnRetry, steps: [asks(90), asks(400), text("done")] });
    expect(waits).toEqual([90_000, 400_000]);
    const short = instantly({ maxTotalDelayMs: 60_000 });
    const { session, client } = await run({ turnRetry: short.turnRetry, steps: [asks(90)] });
    expect([short.waits, client.requests.length, session.failure?.code]).toEqual([[], 1, "llm.rate_limited"]);
  });

  test("fails when the total wait is used up, and marks the error as retried to its limit", async () => {
    const { turnRetry, waits } = instantly({ maxTotalDelayMs: 10_000 });
    const steps = Array.from({ length: 9 }, () => failure(status(503)));
    const { session, client } = await run({ turnRetry, steps });
    expect(waits).toEqual([1_000, 2_000, 4_000, 3_000]);
    expect(client.requests).toHaveLength(5);
    expect([session.failure?.code, areRetriesExhausted(session.failure)]).toEqual(["llm.server_error", true]);
  });

  test("does not call a server in a tight loop that always asks for no wait at all", async () => {
    const { turnRetry, waits } = instantly({ maxTotalDelayMs: 3_000 });
    const steps = Array.from({ length: 9 }, () => failure(status(429, { retryAfterMs: 0 })));
    const { client } = await run({ turnRetry, steps });
    expect([waits, client.requests.length]).toEqual([[1_000, 1_000, 1_000], 4]);
  });

  test("has the whole wait again in the next turn", async () => {
    const { turnRetry, waits } = instantly({ maxTotalDelayMs: 2_000 });
    const [down, up] = [failure(status(503)), toolCall("echo")];
    const { events } = await run({ turnRetry, steps: [down, up, down, up, down, text("done")] });
    expect(waits).toEqual([1_000, 1_000, 1_000]);
    expect(dataOf(events, "processing_end")).toMatchObject([{ outcome: "completed" }]);
  });

  test.each([
    ["llm.authentication", { status: 401 }],
    ["llm.access_denied", { status: 403 }],
    ["llm.not_found", { status: 404 }],
    ["llm.quota_exceeded", { status: 429 }],
    ["llm.invalid_request", { status: 400, problem: "bad" }],
    ["llm.context_length", { status: 400 }],
    ["llm.content_filtered", {}],
  ] as const)("fails at once if a retry cannot help: %s", async (code, details) => {
    const { turnRetry, waits } = instantly();
    const { client, session } = await run({ turnRetry, steps: [failure(new EngineError(code, details)), text("no")] });
    expect([waits, client.requests.length, session.failure?.code]).toEqual([[], 1, code]);
    expect(areRetriesExhausted(session.failure)).toBe(false);
  });

  test("is retried a few times only while no server has responded at the address", async () => {
    const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    const down = () => failure(new EngineError("llm.network", { url: "u", problem: "refused" }, { cause: refused }));
    const before = instantly();
    const never = await run({ turnRetry: before.turnRetry, steps: Array.from({ length: 9 }, down) });
    expect([before.waits, never.session.failure?.code]).toEqual([[1_000, 2_000], "llm.network"]);
    const later = instantly();
    const steps: ScriptStep[] = [toolCall("echo"), down(), down(), down(), down(), text("done")];
    const known = await run({ turnRetry: later.turnRetry, steps });
    expect(later.waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(known.session.failure).toBeUndefined();
  });

  test("counts the usage that a failed attempt reports once: limits, events and host", async () => {
    const usage = { inputTokens: 70, outputTokens: 5, totalTokens: 75, responseId: "r1" };
    const broken = new EngineError("llm.stream_broken", { provider: "p", problem: "reset", usage });
    const reported: number[] = [];
    const reportUsage = async ({ totalTokens }: { totalTokens: number }): Promise<void> => {
      reported.push(totalTokens);
    };
    const { turnRetry } = instantly();
    const last = answer({ ...text("done"), usage: { inputTokens: 80, outputTokens: 9, totalTokens: 89 } });
    const steps = [failure(broken, { after: PARTIAL }), last];
    const { session, events } = await run({ turnRetry, steps, reportUsage });
    expect(session.usage).toMatchObject({ inputTokens: 150, outputTokens: 14, totalTokens: 164 });
    expect(reported).toEqual([75, 89]);
    expect(dataOf(events, "usage_reported")[0]).toMatchObject({
      response_id: expect.stringMatching(/^discarded-/u),
      usage: { totalTokens: 75 },
    });
    const limited = await run({
      turnRetry,
      config: { maxTotalTokens: 75 },
      steps: [failure(broken, { after: PARTIAL }), last],
    });
    expect(dataOf(limited.events, "turn_limit")).toMatchObject([{ limit: "max_total_tokens", count: 75 }]);
    expect(limited.client.requests).toHaveLength(1);
  });

  test("stores the cost of a discarded response before the next attempt, even without new messages", async () => {
    const usage = { inputTokens: 70, outputTokens: 5, totalTokens: 75 };
    const broken = new EngineError("llm.stream_broken", { provider: "p", problem: "reset", usage });
    const stored: (number | undefined)[] = [];
    const onBoundary = async ({ progress }: SessionBoundary): Promise<void> => {
      stored.push(progress.unrecordedUsage?.totalTokens);
    };
    const storedAtRetry: (number | undefined)[] = [];
    const delay = async (): Promise<void> => void storedAtRetry.push(stored.at(-1));
    const steps = [failure(broken), failure(broken), text("done")];
    await run({ turnRetry: { jitter: 0, delay }, steps, onBoundary });
    expect(storedAtRetry).toEqual([75, 150]);
  });

  test("can be steered while it waits: the next attempt has the message", async () => {
    await using workspace = await openWorkspace();
    const waiting = gate();
    const over = gate();
    const delay = async (): Promise<void> => {
      waiting.open();
      await over.opened;
    };
    const steps = [failure(status(503)), text("done")];
    const { session, client } = createSession(workspace, { turnRetry: { delay }, steps });
    const collected = collect(session.submit("go"));
    await waiting.opened;
    session.steer("also this");
    over.open();
    await collected;
    expect(textsOf(client.requests[1], "user")).toEqual(["go", "also this"]);
  });

  test("can be aborted while it waits, for any wait", async () => {
    await using workspace = await openWorkspace();
    const waiting = gate();
    const delay = (): Promise<void> => {
      waiting.open();
      return new Promise(() => undefined);
    };
    const { session, client } = createSession(workspace, { turnRetry: { delay }, steps: [failure(status(503))] });
    const collected = collect(session.submit("go"));
    await waiting.opened;
    await session.abort();
    await collected;
    expect([session.state, client.requests.length]).toEqual(["closed", 1]);
  });

  test("is not retried beyond a limit on the time that is worked", async () => {
    let nowMs = 0;
    const delay = async (delayMs: number): Promise<void> => {
      nowMs += delayMs;
    };
    const steps = Array.from({ length: 9 }, () => failure(status(503)));
    const setup = { turnRetry: { delay, jitter: 0 }, config: { maxWallTimeMs: 5_000 }, now: () => nowMs, steps };
    const { client, events } = await run(setup);
    expect(dataOf(events, "turn_limit")).toMatchObject([{ limit: "max_wall_time_ms" }]);
    expect(client.requests).toHaveLength(3);
  });

  test("is not retried if the client has retried it to its limit, unless configured", async () => {
    const exhausted = (): EngineError => {
      const error = status(503);
      Reflect.defineProperty(error, Symbol.for("switchyard.retries-exhausted"), { value: true });
      return error;
    };
    const first = instantly();
    const { client } = await run({ turnRetry: first.turnRetry, steps: [failure(exhausted()), text("no")] });
    expect([first.waits, client.requests.length]).toEqual([[], 1]);
    const second = instantly({ retriesExhausted: true });
    const { session } = await run({ turnRetry: second.turnRetry, steps: [failure(exhausted()), text("done")] });
    expect([second.waits.length, session.failure]).toEqual([1, undefined]);
  });

  test("records the text that the user saw if it fails permanently", async () => {
    const { session, events } = await run({ turnRetry: false, steps: [failure(RESET, { after: PARTIAL })] });
    expect(session.history.at(-1)).toMatchObject({ type: "assistant", content: "partial ", toolCalls: [] });
    expect(dataOf(events, "model_call_retried")).toEqual([]);
  });
});
