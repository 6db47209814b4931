import { EngineError } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { ask, clientOf, collect } from "./families.ts";
import { answerSse, sse, startServer } from "./loopback-server.ts";
import { OPENING, piece, streamOf } from "./wire-answers.ts";

const MODEL = "claude-sonnet-4-5";
const ANSWER = streamOf("anthropic", ["Hel", "lo"]);

describe("steps of a stream", () => {
  test("that are requested at the same time are delivered in order, and those after the end are completed", async () => {
    await using server = await startServer(answerSse(ANSWER));
    const client = clientOf("anthropic", `${server.url}/v1`);
    const expected = await collect(client.stream(ask(MODEL)));
    const steps = client.stream(ask(MODEL))[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: expected.length + 3 }, () => steps.next()));
    expect(results.map(({ value }) => value)).toEqual([...expected, undefined, undefined, undefined]);
    expect(results.map(({ done }) => done)).toEqual([...expected.map(() => false), true, true, true]);
  });

  test("end when the reader leaves, even if further events have already arrived", async () => {
    const content = { role: "model", parts: [{ text: "Hel" }] };
    // If the response has no id, its first part becomes two events.
    await using server = await startServer(answerSse([{ candidates: [{ content, finishReason: "STOP" }] }]));
    const steps = clientOf("gemini", `${server.url}/v1beta`).stream(ask("gemini-2.5-pro"))[Symbol.asyncIterator]();
    expect((await steps.next()).value).toMatchObject({ type: "stream_start" });
    expect(await steps.return?.()).toEqual({ done: true, value: undefined });
    expect(await steps.next()).toEqual({ done: true, value: undefined });
  });

  test("are done after a failure, which is reported once", async () => {
    await using server = await startServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(sse([...OPENING.anthropic, piece("anthropic", "Hel")]));
    });
    const steps = clientOf("anthropic", `${server.url}/v1`).stream(ask(MODEL))[Symbol.asyncIterator]();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => steps.next()));
    const failures = results.filter((step) => step.status === "rejected");
    expect(failures).toHaveLength(1);
    expect(EngineError.is(failures[0]?.reason, "llm.stream_broken")).toBe(true);
    expect(results.at(-1)).toEqual({ status: "fulfilled", value: { done: true, value: undefined } });
  });

  test("that are never read leave no timer and no connection open", async () => {
    await using server = await startServer(answerSse(ANSWER));
    const timers = new Set<() => void>();
    const schedule = (callback: () => void): (() => void) => {
      timers.add(callback);
      return () => void timers.delete(callback);
    };
    const client = clientOf("anthropic", `${server.url}/v1`, { schedule });
    const steps = client.stream(ask(MODEL))[Symbol.asyncIterator]();
    expect(timers.size).toBe(1);
    await steps.return?.();
    expect(timers.size).toBe(0);
    expect(await steps.next()).toEqual({ done: true, value: undefined });
    expect(server.requests).toEqual([]);
  });
});
