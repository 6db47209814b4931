import type { Span, Tracer } from "@opentelemetry/api";
import {
  EngineError,
  type Envelope,
  type Host,
  type HostMiddleware,
  type Publisher,
  textMessage,
} from "@switchyard/contracts";
import { createMasker } from "@switchyard/secrets";
import { recordingHost } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import {
  assertBudgetLeft,
  budgetHost,
  composeHost,
  createBoard,
  createEnvelope,
  emitStreamToken,
  hostFuncs,
  noopHost,
  redactingHost,
  tracingHost,
} from "../index.ts";

const USAGE = { inputTokens: 60, outputTokens: 40, totalTokens: 100, costMicros: 5, model: "m" };

function envelopeOf(content: string): Envelope {
  return createEnvelope(
    "assistant_text_end",
    { content },
    { runId: "r", actor: "a.node.n", attempt: 1, now: () => 0, createId: () => "id" },
  );
}

const checkpoint = { execId: "r", step: "s", iteration: 2, board: createBoard().snapshot(), timestamp: "" };

function codeOf(error: unknown): string {
  return EngineError.is(error) ? error.code : String(error);
}

test("a host does five things, and a consumer can require any single one [engine-host-1] [engine-overview-3]", async () => {
  expect(Object.keys(noopHost()).sort()).toEqual(["askUser", "checkpoint", "interrupts", "publish", "reportUsage"]);
  const published: Envelope[] = [];
  const publisher: Publisher = { publish: async (envelope) => void published.push(envelope) };
  await emitStreamToken(publisher, "a", { runId: "r", attempt: 1, now: () => 0, createId: () => "id" });
  expect(published).toHaveLength(1);
});

test("the methods of a host can be called at the same time [engine-host-2]", async () => {
  const inner = recordingHost();
  const host = composeHost(inner, budgetHost({ modelCalls: 1_000 }), redactingHost(createMasker(["secret"])));
  const calls = Array.from({ length: 50 }, (_, index) => [
    host.publish(envelopeOf(String(index))),
    host.checkpoint(checkpoint),
    host.reportUsage(USAGE),
  ]);
  await Promise.all(calls.flat());
  expect([inner.envelopes.length, inner.checkpoints.length, inner.usages.length]).toEqual([50, 50, 50]);
});

test("the empty host accepts everything, never interrupts and refuses questions [engine-noop-host-1] [engine-noop-host-2] [engine-noop-host-3] [engine-checkpointer-1]", async () => {
  const host = noopHost();
  await host.publish(envelopeOf("a"));
  await host.checkpoint(checkpoint);
  await host.reportUsage(USAGE);
  expect(host.interrupts()).toBeUndefined();
  const refusal = await host.askUser({ parts: [] }).catch((error: unknown) => error);
  expect(EngineError.is(refusal) && [refusal.code, refusal.class]).toEqual(["prompt.unavailable", "not_available"]);
});

test("a host of functions without an inner host fails at the first call that would be passed on [engine-host-funcs-2]", async () => {
  const host = hostFuncs(undefined, { publish: async () => {} });
  await host.publish(envelopeOf("a"));
  const failures = await Promise.all(
    [() => host.checkpoint(checkpoint), () => host.reportUsage(USAGE), () => host.askUser({ parts: [] })].map((call) =>
      call().then(() => "none", codeOf),
    ),
  );
  expect(failures).toEqual(["engine.no_inner_host", "engine.no_inner_host", "engine.no_inner_host"]);
  expect(() => host.interrupts()).toThrow("The host neither has a method interrupts nor wraps a host that has one.");
});

test("a host of functions replaces the given functions and passes on the others [engine-host-funcs-1]", async () => {
  const inner = recordingHost({ askUser: () => ({ parts: textMessage("user", "yes").parts }) });
  const published: Envelope[] = [];
  const host = hostFuncs(inner, {
    publish: async (envelope) => {
      published.push(envelope);
    },
  });
  await host.publish(envelopeOf("a"));
  await host.checkpoint(checkpoint);
  await host.reportUsage(USAGE);
  const signal = new AbortController().signal;
  expect(await host.askUser({ parts: [] }, { signal })).toEqual({ parts: [{ type: "text", text: "yes" }] });
  expect(host.interrupts()).toBe(inner.interrupts());
  expect([published.length, inner.envelopes.length, inner.checkpoints.length, inner.usages.length]).toEqual([
    1, 0, 1, 1,
  ]);
});

describe("composing", () => {
  const traced =
    (name: string, calls: string[]): HostMiddleware =>
    (inner) =>
      hostFuncs(inner, {
        publish: (envelope) => {
          calls.push(name);
          return inner.publish(envelope);
        },
      });

  test("without middleware the base itself is given back [engine-compose-host-1]", () => {
    const base = noopHost();
    expect(composeHost(base)).toBe(base);
    expect(composeHost(base, undefined)).toBe(base);
  });

  test("the first middleware is the outermost; absent ones are skipped [engine-compose-host-2] [engine-compose-host-3] [engine-compose-host-5]", async () => {
    const calls: string[] = [];
    const base = recordingHost();
    const host = composeHost(base, traced("A", calls), undefined, traced("B", calls), traced("C", calls));
    await host.publish(envelopeOf("a"));
    await host.reportUsage(USAGE);
    expect(calls).toEqual(["A", "B", "C"]);
    expect([base.envelopes.length, base.usages.length]).toEqual([1, 1]);
  });

  test("a middleware that returns nothing fails immediately and is named [engine-compose-host-4]", () => {
    const nothing: unknown = () => undefined;
    const isMiddleware = (value: unknown): value is HostMiddleware => typeof value === "function";
    if (!isMiddleware(nothing)) throw new Error("unreachable");
    expect(() => composeHost(noopHost(), (inner) => inner, nothing)).toThrow(
      "Host middleware number 1 returned no host.",
    );
  });
});

test("the redacting host masks events and questions, and does not change checkpoints", async () => {
  const inner = recordingHost({ askUser: () => ({ parts: [] }) });
  const host = redactingHost(createMasker(["hunter2-hunter2"]))(inner);
  await host.publish(envelopeOf("it is hunter2-hunter2"));
  await host.askUser({ parts: [{ type: "text", text: "hunter2-hunter2?" }] });
  const board = createBoard();
  board.setVar("password", "hunter2-hunter2");
  await host.checkpoint({ ...checkpoint, board: board.snapshot() });
  expect(JSON.stringify([inner.envelopes, inner.prompts])).not.toContain("hunter2");
  expect(inner.ofType("assistant_text_end")[0]?.payload).toEqual({ content: "it is ***REDACTED***" });
  expect(inner.checkpoints[0]?.board.vars).toEqual({ password: "hunter2-hunter2" });
});

describe("budget", () => {
  test("reports before a model call whether another one is allowed", () => {
    const used = { usage: USAGE, modelCalls: 1 };
    expect(() => assertBudgetLeft({ totalTokens: 101, modelCalls: 2 }, used)).not.toThrow();
    for (const budget of [{ totalTokens: 100 }, { costMicros: 5 }, { modelCalls: 1 }]) {
      expect(() => assertBudgetLeft(budget, used)).toThrow("The budget for");
    }
  });

  test("a report that uses the budget up is passed on and then refused [engine-usage-reporter-2]", async () => {
    for (const budget of [{ totalTokens: 200 }, { costMicros: 10 }, { modelCalls: 2 }]) {
      const inner = recordingHost();
      const host = budgetHost(budget)(inner);
      await host.reportUsage(USAGE);
      const refusal: unknown = await host.reportUsage(USAGE).catch((error: unknown) => error);
      expect(codeOf(refusal)).toBe("budget.exceeded");
      expect(inner.usages).toHaveLength(2);
    }
  });

  test("an invalid limit is refused when the host is created, because it would have no effect", () => {
    for (const budget of [{ totalTokens: Number.NaN }, { costMicros: -1 }, JSON.parse('{"tokens":5}')]) {
      expect(() => budgetHost(budget)).toThrow("The setting budget.");
    }
    expect(() =>
      budgetHost({ totalTokens: 0, costMicros: Number.POSITIVE_INFINITY, modelCalls: undefined }),
    ).not.toThrow();
  });

  test("without a limit nothing is refused, and earlier attempts count [engine-usage-reporter-4]", async () => {
    const unlimited = budgetHost({})(recordingHost());
    for (let call = 0; call < 50; call += 1) await unlimited.reportUsage(USAGE);
    const resumed = budgetHost({ totalTokens: 200, used: { usage: USAGE, modelCalls: 1 } })(recordingHost());
    expect(codeOf(await resumed.reportUsage(USAGE).catch((error: unknown) => error))).toBe("budget.exceeded");
  });
});

interface RecordedSpan {
  name: string;
  kind: number | undefined;
  attributes: Readonly<Record<string, unknown>>;
  exceptions: unknown[];
  status: number | undefined;
  ended: boolean;
}

/** A tracer that records its spans. Only the members that a host middleware may use are implemented. */
function recordingTracer(): { tracer: Tracer; spans: RecordedSpan[] } {
  const spans: RecordedSpan[] = [];
  const startSpan: Tracer["startSpan"] = (name, options) => {
    const recorded: RecordedSpan = {
      name,
      kind: options?.kind,
      attributes: { ...options?.attributes },
      exceptions: [],
      status: undefined,
      ended: false,
    };
    spans.push(recorded);
    const span: Span = {
      spanContext: () => ({ traceId: "t", spanId: "s", traceFlags: 1 }),
      setAttribute: () => span,
      setAttributes: () => span,
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      setStatus: ({ code }) => {
        recorded.status = code;
        return span;
      },
      updateName: () => span,
      end: () => {
        recorded.ended = true;
      },
      isRecording: () => true,
      recordException: (exception) => {
        recorded.exceptions.push(exception);
      },
    };
    return span;
  };
  function startActiveSpan(...parameters: readonly unknown[]): unknown {
    const [name, options] = parameters;
    const run = parameters.at(-1);
    if (typeof name !== "string" || typeof run !== "function") throw new Error("not called as a tracer is called");
    return run(startSpan(name, Object(options)));
  }
  return { tracer: Object.assign(Object.create(null), { startSpan, startActiveSpan }), spans };
}

describe("tracing", () => {
  test("each call has its own span with exactly its duration [engine-tracing-1] [engine-tracing-2] [engine-tracing-3] [engine-tracing-4] [engine-tracing-6] [engine-tracing-7]", async () => {
    const { tracer, spans } = recordingTracer();
    const inner: Host = hostFuncs(recordingHost({ askUser: () => ({ parts: [] }) }), {
      reportUsage: async () => {
        expect(spans.at(-1)?.ended).toBe(false);
      },
    });
    const host = tracingHost(tracer)(inner);
    await host.publish(envelopeOf("a"));
    await host.checkpoint(checkpoint);
    await host.askUser({ parts: [{ type: "text", text: "?" }], source: "s" });
    await host.reportUsage(USAGE);
    host.interrupts();
    expect(spans.map(({ name, kind, attributes, ended }) => ({ name, kind, attributes, ended }))).toEqual([
      {
        name: "engine.host.publish",
        kind: 3,
        attributes: {
          "messaging.destination": "engine.run.r.session.a_node_n.assistant_text_end",
          "event.id": "id",
          "event.run_id": "r",
          "event.node_id": "n",
        },
        ended: true,
      },
      {
        name: "engine.host.checkpoint",
        kind: undefined,
        attributes: { "checkpoint.exec_id": "r", "checkpoint.step": "s", "checkpoint.iteration": 2 },
        ended: true,
      },
      {
        name: "engine.host.ask_user",
        kind: undefined,
        attributes: { "prompt.source": "s", "prompt.parts": 1 },
        ended: true,
      },
      {
        name: "engine.host.report_usage",
        kind: undefined,
        attributes: { "usage.model": "m", "usage.input_tokens": 60, "usage.output_tokens": 40 },
        ended: true,
      },
    ]);
  });

  test("an error is recorded and passed on as it is [engine-tracing-5]", async () => {
    const { tracer, spans } = recordingTracer();
    const failure = new Error("no space");
    const host = tracingHost(tracer)(recordingHost({ checkpointFailure: failure }));
    await expect(host.checkpoint(checkpoint)).rejects.toBe(failure);
    expect(spans[0]).toMatchObject({ exceptions: [failure], status: 2, ended: true });
  });
});
