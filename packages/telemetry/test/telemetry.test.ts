import type { Envelope, EventPayloads, EventType } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { openTelemetry, wantsTelemetry } from "../src/index.ts";
import { type Collector, openCollector } from "./otlp-collector.ts";

const START_MS = Date.UTC(2026, 0, 1);

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === "object" && value !== null && "payload" in value;
}

/** Creates an event, with its time as milliseconds after the first one. */
function at<T extends EventType>(ms: number, type: T, payload: EventPayloads[T]): Envelope {
  const time = new Date(START_MS + ms).toISOString();
  const headers = { run_id: "r1", agent_id: "main" };
  const envelope: unknown = { id: `${ms}`, type, subject: "", time, seq: ms + 1, attempt: 2, headers, payload };
  if (!isEnvelope(envelope)) throw new Error("It is no event.");
  return envelope;
}

/** Creates the same event for a subagent. */
function child(envelope: Envelope): Envelope {
  return { ...envelope, headers: { ...envelope.headers, agent_id: "main-1" } };
}

const usage = { inputTokens: 100, outputTokens: 20, totalTokens: 120, costMicros: 7, cacheReadTokens: 40 };
const failure = {
  code: "run.cancelled",
  class: "aborted",
  message: "SECRET WORDS",
  remedy: "",
  retryable: false,
} as const;

const RUN: readonly Envelope[] = [
  at(0, "run_start", { resumed: true }),
  at(1, "session_start", { session_id: "s", model: "anthropic/claude" }),
  at(2, "user_input", { content: "SECRET WORDS" }),
  at(10, "step_start", { step: "main.iter1" }),
  at(20, "assistant_text_end", { content: "SECRET WORDS" }),
  at(21, "usage_reported", { response_id: "a", usage }),
  at(22, "usage_reported", { response_id: "a", usage }),
  at(30, "tool_call_start", { type: "tool_call", id: "c1", name: "shell", arguments: "SECRET WORDS" }),
  at(35, "subagent_started", { agent_id: "main-1", content: "SECRET WORDS", status: "running" }),
  child(at(36, "step_start", { step: "main-1.iter1" })),
  child(at(46, "usage_reported", { response_id: "b", usage: { ...usage, latencyMs: 9 } })),
  child(at(47, "step_complete", { step: "main-1.iter1" })),
  at(48, "subagent_ended", { agent_id: "main-1", content: "SECRET WORDS", status: "completed" }),
  at(50, "tool_call_end", { type: "tool_result", tool_call_id: "c1", content: "SECRET WORDS", is_error: true }),
  at(60, "step_error", { step: "main.iter1", error: failure }),
  at(61, "tool_call_start", { type: "tool_call", id: "c2", name: "look" }),
  at(70, "run_end", { outcome: "cancelled", error: failure }),
  at(80, "usage_reported", { response_id: "c", usage }),
];

async function follow(events: readonly Envelope[], traceparent?: string): Promise<Collector> {
  const collector = await openCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b" };
  await using telemetry = await openTelemetry({ env, version: "1.2.3" });
  const observer = telemetry?.observe({ engine: "coder", traceparent });
  for (const event of events) await observer?.publish(event);
  return collector;
}

test("a run is a tree of spans that follows the OpenTelemetry conventions, with the times of its events", async () => {
  const { spans, service } = await follow(RUN);
  const nameOf = (id: string): string => spans.find(({ spanId }) => spanId === id)?.name ?? "";
  const told = spans.map(({ name, parentSpanId, startMs, endMs, status }) => {
    return [name, nameOf(parentSpanId), startMs - START_MS, endMs - START_MS, status];
  });
  expect(told.sort((left, right) => Number(left[2]) - Number(right[2]))).toEqual([
    ["invoke_agent coder", "", 0, 70, 2],
    ["chat claude", "turn", 2, 21, 0],
    ["turn", "invoke_agent coder", 10, 60, 2],
    ["execute_tool shell", "turn", 30, 50, 2],
    ["invoke_agent main-1", "turn", 35, 48, 0],
    ["turn", "invoke_agent main-1", 36, 47, 0],
    ["chat claude", "turn", 37, 46, 0],
    ["execute_tool look", "invoke_agent coder", 61, 70, 0],
  ]);
  expect(service()).toBe("switchyard");
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  const [chat] = spans.filter(({ name }) => name === "chat claude");
  expect(chat?.attributes).toEqual({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "anthropic",
    "gen_ai.request.model": "claude",
    "gen_ai.response.id": "a",
    "gen_ai.usage.input_tokens": 100,
    "gen_ai.usage.output_tokens": 20,
    "gen_ai.usage.cache_read.input_tokens": 40,
    "switchyard.cost.micros": 7,
  });
  expect(spans.find(({ name }) => name === "invoke_agent coder")?.attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "coder",
    "gen_ai.conversation.id": "r1",
    "switchyard.run.attempt": 2,
    "switchyard.run.outcome": "cancelled",
    "error.type": "run.cancelled",
  });
});

test("metrics count the tokens and the duration of each response once, and contain no texts", async () => {
  const { sums, text } = await follow(RUN);
  expect(sums["gen_ai.client.token.usage"]).toBe(240);
  // Two model responses, one ended call and the run: 19 + 9 + 20 + 70 ms.
  expect(sums["gen_ai.client.operation.duration"]).toBeCloseTo(0.118, 6);
  expect(text()).toContain("execute_tool shell");
  expect(text()).not.toContain("SECRET");
});

test("repeated usage is recognised for the last 10,000 responses, so that the memory of a run is bounded", async () => {
  const collector = await openCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_EXPORTER: "none", OTEL_LOGS_EXPORTER: "none" };
  {
    await using telemetry = await openTelemetry({ env });
    const observer = telemetry?.observe({ engine: "coder" });
    const report = async (id: number) => observer?.publish(at(1, "usage_reported", { response_id: `${id}`, usage }));
    await observer?.publish(at(0, "run_start", { resumed: false }));
    for (let id = 1; id <= 10_000; id += 1) await report(id);
    // The first response is still recognised, until the 10,001st one replaces it.
    await report(1);
    await report(10_001);
    await report(1);
  }
  expect(collector.sums["gen_ai.client.token.usage"]).toBe(10_002 * 120);
});

test("the span of a run is a child of the caller's span; an invalid traceparent is ignored", async () => {
  const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  const inside = await follow(RUN, `00-${traceId}-${spanId}-01`);
  const root = inside.spans.find(({ name }) => name === "invoke_agent coder");
  expect(root).toMatchObject({ traceId, parentSpanId: spanId });
  for (const foreign of ["", "x", `00-${"0".repeat(32)}-${spanId}-01`, `00-${traceId}-${spanId}-01\nx`]) {
    const { spans } = await follow(RUN, foreign);
    expect(spans.find(({ name }) => name === "invoke_agent coder")?.parentSpanId).toBe("");
  }
});

test("without OpenTelemetry variables, no exporter is opened", async () => {
  const to = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
  expect(wantsTelemetry({})).toBe(false);
  expect(wantsTelemetry(to)).toBe(true);
  expect(wantsTelemetry({ ...to, OTEL_SDK_DISABLED: "true" })).toBe(false);
  expect(wantsTelemetry({ ...to, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" })).toBe(false);
  expect(wantsTelemetry({ ...to, OTEL_TRACES_EXPORTER: "none" })).toBe(true);
  expect(await openTelemetry({ env: {} })).toBeUndefined();
});

test("an unreachable collector is reported once and delays nothing", async () => {
  const problems: string[] = [];
  const onProblem = (problem: string): void => void problems.push(problem);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
  {
    await using telemetry = await openTelemetry({ env, onProblem });
    const observer = telemetry?.observe({ engine: "coder" });
    for (const event of RUN) await observer?.publish(event);
  }
  // Unsupported protocols, and a collector that does not respond.
  expect(problems).toHaveLength(2);
});

test("two agents may use equal call ids, and invented names of an engine do not create new metric series", async () => {
  const call = (name: string) => ({ type: "tool_call", id: "c1", name }) as const;
  const result = { type: "tool_result", tool_call_id: "c1", content: "" } as const;
  const names = Array.from({ length: 2_000 }, (_, index) => `made-up-${index}`);
  const { spans, text } = await follow([
    at(0, "run_start", { resumed: false }),
    at(1, "subagent_started", { agent_id: "main-1", content: "", status: "running" }),
    at(10, "tool_call_start", call("look")),
    child(at(20, "tool_call_start", call("read"))),
    at(30, "tool_call_end", result),
    child(at(40, "tool_call_end", result)),
    ...names.flatMap((name) => [at(50, "tool_call_start", call(name)), at(51, "tool_call_end", result)]),
    at(60, "run_end", { outcome: "completed" }),
  ]);
  const timesOf = (name: string) =>
    spans.flatMap((span) => (span.name === name ? [span.startMs - START_MS, span.endMs - START_MS] : []));
  expect(timesOf("execute_tool look")).toEqual([10, 30]);
  expect(timesOf("execute_tool read")).toEqual([20, 40]);
  const metrics = text().slice(text().indexOf("gen_ai.client.operation.duration"));
  const told = new Set(metrics.match(/made-up-\d+/gu));
  expect(told.size).toBeGreaterThan(400);
  expect(told.size).toBeLessThanOrEqual(500);
  expect(metrics).toContain("_OTHER");
});

test("the address and the headers are read from the given environment variables", async () => {
  const { headers } = await follow(RUN);
  expect(headers()["x-key"]).toBe("a b");
});

test("evaluation results are events that follow the conventions, below the span of their run", async () => {
  const collector = await openCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const attributes = { "switchyard.eval.case": "c" };
  {
    await using telemetry = await openTelemetry({ env, hasEvaluations: true });
    const observer = telemetry?.observe({ engine: "coder" });
    for (const event of RUN) await observer?.publish(event);
    telemetry?.recordEvaluation({
      ...{ runId: "r1", name: "contains", score: 0, label: "FAIL", explanation: "It is missing.", attributes },
    });
    telemetry?.recordEvaluation({ name: "outcome", label: "ERROR", errorType: "run.timeout" });
  }
  const run = collector.spans.find(({ name }) => name === "invoke_agent coder");
  expect(collector.events).toEqual([
    {
      ...{ eventName: "gen_ai.evaluation.result", traceId: run?.traceId, spanId: run?.spanId },
      attributes: {
        "gen_ai.evaluation.name": "contains",
        "gen_ai.evaluation.score.value": expect.anything(),
        "gen_ai.evaluation.score.label": "FAIL",
        "gen_ai.evaluation.explanation": "It is missing.",
        "gen_ai.conversation.id": "r1",
        "switchyard.run.id": "r1",
        "switchyard.eval.case": "c",
      },
    },
    expect.objectContaining({
      attributes: {
        "gen_ai.evaluation.name": "outcome",
        "gen_ai.evaluation.score.label": "ERROR",
        "error.type": "run.timeout",
      },
    }),
  ]);
  expect(Number(collector.events[0]?.attributes["gen_ai.evaluation.score.value"])).toBe(0);
});

test("evaluation results are sent only if they are requested and logs are enabled", async () => {
  const collector = await openCollector();
  const send = async (env: Record<string, string>, hasEvaluations: boolean): Promise<boolean> => {
    await using telemetry = await openTelemetry({ env, hasEvaluations });
    telemetry?.recordEvaluation({ name: "outcome", score: 1, label: "PASS" });
    return telemetry !== undefined;
  };
  const all = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  expect(await send(all, false)).toBe(true);
  expect(await send({ ...all, OTEL_LOGS_EXPORTER: "none" }, true)).toBe(true);
  const logs = { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${collector.url}/v1/logs` };
  expect(await send(logs, false)).toBe(false);
  expect(collector.events).toEqual([]);
  expect(await send(logs, true)).toBe(true);
  expect(collector.events).toHaveLength(1);
});
