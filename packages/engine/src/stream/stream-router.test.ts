import { EngineError, type Envelope } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import {
  createEnvelope,
  createEventBus,
  createStreamRouter,
  type EventBus,
  emitStreamToken,
  emitStreamToolResult,
  type StreamRouterOptions,
  type StreamSink,
} from "../index.ts";

const marks = (runId: string) => ({ runId, actor: "a", attempt: 1, now: () => 0, createId: () => "id" });

async function token(bus: EventBus, content: string, runId = "r"): Promise<void> {
  await emitStreamToken(bus, content, marks(runId));
}

async function start(bus: EventBus, runId = "r"): Promise<void> {
  await bus.publish(createEnvelope("run_start", { resumed: false }, marks(runId)));
}

async function end(bus: EventBus, runId = "r"): Promise<void> {
  await bus.publish(createEnvelope("run_end", { outcome: "completed" }, marks(runId)));
}

/** Resolves after all work that is ready has run. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

function recordingSink(): { sink: StreamSink; seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    sink: {
      onDelta: (envelope, delta) => void seen.push(delta?.type === "token" ? delta.content : envelope.type),
      onEnd: () => void seen.push("end"),
    },
  };
}

function setUp(options: StreamRouterOptions = {}): {
  bus: EventBus;
  router: ReturnType<typeof createStreamRouter>;
  errors: string[];
} {
  const bus = createEventBus();
  const errors: string[] = [];
  const onSinkError = (sinkId: string, error: unknown): void =>
    void errors.push(`${sinkId}: ${error instanceof Error ? error.message : error}`);
  return { bus, errors, router: createStreamRouter(bus, { onSinkError, ...options }) };
}

test("a router needs a bus [engine-stream-router-1]", () => {
  const nothing: unknown = undefined;
  const isBus = (value: unknown): value is EventBus => value === undefined;
  expect(() => isBus(nothing) && createStreamRouter(nothing)).toThrow(EngineError);
});

test("every sink of a run gets every increment in order, and no others [engine-stream-router-2] [engine-stream-router-3] [engine-stream-router-6] [engine-stream-router-10] [engine-stream-sink-1]", async () => {
  const { bus, router } = setUp();
  const [left, right] = [recordingSink(), recordingSink()];
  const plain: string[] = [];
  router.attach("r", "left", left.sink);
  router.attach("r", "right", right.sink);
  router.attach("r", "plain", (_envelope, delta) => void plain.push(delta?.type ?? "none"));
  await start(bus);
  for (const content of ["1", "2", "3"]) await token(bus, content);
  await token(bus, "x", "other");
  await end(bus);
  await settle();
  expect([left.seen, right.seen, plain]).toEqual([
    ["1", "2", "3", "end"],
    ["1", "2", "3", "end"],
    ["token", "token", "token"],
  ]);
});

test("a sink for all events receives the envelope, without an increment if the envelope contains none [engine-stream-router-7]", async () => {
  const { bus, router } = setUp({ allEvents: true });
  const { sink, seen } = recordingSink();
  router.attach("r", "sink", sink);
  await start(bus);
  await token(bus, "1");
  await end(bus);
  await settle();
  expect(seen).toEqual(["run_start", "1", "run_end", "end"]);
});

test("the run is removed after its end, and its id can be attached again [engine-stream-router-4] [engine-stream-router-5]", async () => {
  const { bus, router } = setUp();
  const [first, second] = [recordingSink(), recordingSink()];
  router.attach("r", "sink", first.sink);
  await end(bus);
  await settle();
  await token(bus, "after");
  router.attach("r", "sink", second.sink);
  await token(bus, "next attempt");
  await end(bus);
  await settle();
  expect([first.seen, second.seen]).toEqual([["end"], ["next attempt", "end"]]);
});

test("the end is never dropped, however many increments are [engine-stream-router-5] [engine-stream-router-11] [engine-stream-router-12]", async () => {
  for (const backpressure of ["drop_newest", "drop_oldest", "sample"] as const) {
    const dropped: string[] = [];
    const { bus, router } = setUp({
      bufferSize: 2,
      onSinkDrop: (sinkId) => void dropped.push(sinkId),
      subscription: { backpressure, sampleRate: 1, predicate: (envelope) => envelope.type !== "run_end" },
    });
    const { sink, seen } = recordingSink();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    router.attach("r", "sink", {
      ...sink,
      onDelta: (envelope, delta) => held.then(() => sink.onDelta(envelope, delta)),
    });
    // Published immediately, without a read in between.
    const published = Array.from({ length: 50 }, (_, index) => token(bus, String(index)));
    await Promise.all([...published, end(bus)]);
    await settle();
    release();
    await settle();
    expect(seen.at(-1)).toBe("end");
    expect(seen.length).toBeLessThan(50);
  }
});

test("256 increments wait for a sink unless another size is given [engine-stream-router-11]", async () => {
  const dropped: string[] = [];
  const { bus, router } = setUp({ onSinkDrop: (sinkId) => void dropped.push(sinkId) });
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const seen: string[] = [];
  router.attach("r", "slow", async () => {
    await held;
    seen.push("token");
  });
  for (let index = 0; index < 300; index += 1) {
    await token(bus, "x");
    await Promise.resolve();
  }
  await settle();
  release();
  await router.close();
  expect([seen.length, dropped.length]).toEqual([257, 43]);
});

const BURST = 20_000;

/** A sink that accepts one event per round of the event loop. */
function slowSink(): { sink: StreamSink; seen: string[] } {
  const { sink, seen } = recordingSink();
  const onDelta: StreamSink["onDelta"] = async (envelope, delta) => {
    await new Promise((resolve) => setImmediate(resolve));
    return sink.onDelta(envelope, delta);
  };
  return { sink: { ...sink, onDelta }, seen };
}

async function burst(bus: EventBus): Promise<void> {
  const published = Array.from({ length: BURST }, (_, index) => token(bus, String(index)));
  await Promise.all(published);
  for (const id of ["1", "2"]) await emitStreamToolResult(bus, { tool_call_id: id, content: "" }, marks("r"));
  await end(bus);
}

test("a burst of 20,000 increments loses none for slow sinks with enough buffer [engine-stream-router-2] [engine-stream-router-10]", async () => {
  const { bus, router } = setUp({ bufferSize: BURST + 8 });
  const sinks = [slowSink(), slowSink()];
  for (const [index, { sink }] of sinks.entries()) router.attach("r", `slow ${index}`, sink);
  await burst(bus);
  await router.close();
  const all = Array.from({ length: BURST }, (_, index) => String(index));
  for (const { seen } of sinks) expect(seen).toEqual([...all, "tool_call_end", "tool_call_end", "end"]);
});

test("a burst beyond the buffer loses only increments of slow sinks, in order, and each loss is reported [engine-stream-router-5]", async () => {
  const dropped: string[] = [];
  const onSinkDrop = (_sinkId: string, envelope: Envelope): void => void dropped.push(envelope.type);
  const { bus, router } = setUp({ onSinkDrop, subscription: { keep: () => true } });
  const { sink, seen } = slowSink();
  router.attach("r", "slow", sink);
  await burst(bus);
  await router.close();
  expect(seen.slice(-3)).toEqual(["tool_call_end", "tool_call_end", "end"]);
  const numbers = seen.slice(0, -3).map(Number);
  expect(numbers).toEqual([...numbers].sort((left, right) => left - right));
  expect(new Set(dropped)).toEqual(new Set(["assistant_text_delta"]));
  expect(numbers.length + dropped.length).toBe(BURST);
});

test("a slow or throwing sink delays no other [engine-stream-router-8] [engine-stream-router-9]", async () => {
  const { bus, router, errors } = setUp();
  const { sink, seen } = recordingSink();
  router.attach("r", "stuck", () => new Promise(() => {}));
  router.attach("r", "throws", () => {
    throw new Error("broken pipe");
  });
  router.attach("r", "rejects", () => Promise.reject(new Error("closed")));
  router.attach("r", "good", sink);
  await token(bus, "1");
  await token(bus, "2");
  await end(bus);
  await settle();
  expect(seen).toEqual(["1", "2", "end"]);
  expect(errors.sort()).toEqual(["rejects: closed", "rejects: closed", "throws: broken pipe", "throws: broken pipe"]);
});

test("an error handler that throws has no effect", async () => {
  const bus = createEventBus();
  const router = createStreamRouter(bus, {
    onSinkError: () => {
      throw new Error("handler");
    },
  });
  const { sink, seen } = recordingSink();
  router.attach("r", "throws", () => Promise.reject(new Error("closed")));
  router.attach("r", "good", sink);
  await token(bus, "1");
  await settle();
  expect(seen).toEqual(["1"]);
});

describe("detaching", () => {
  test("a detached sink receives nothing more, and its id can be used again [engine-stream-router-13] [engine-stream-router-14]", async () => {
    const { bus, router } = setUp();
    const [first, second] = [recordingSink(), recordingSink()];
    const detach = router.attach("r", "sink", first.sink);
    await token(bus, "1");
    await settle();
    detach();
    await token(bus, "2");
    router.attach("r", "sink", second.sink);
    await token(bus, "3");
    await settle();
    expect([first.seen, second.seen]).toEqual([["1"], ["3"]]);
  });

  test("a stale detach does not affect a newer attachment [engine-stream-router-15]", async () => {
    const { bus, router } = setUp();
    const second = recordingSink();
    const detachFirst = router.attach("r", "sink", recordingSink().sink);
    router.attach("r", "sink", second.sink);
    detachFirst();
    await token(bus, "1");
    await end(bus);
    await settle();
    const third = recordingSink();
    router.attach("r", "sink", third.sink);
    detachFirst();
    await token(bus, "2");
    await settle();
    expect([second.seen, third.seen]).toEqual([["1", "end"], ["2"]]);
  });

  test("who attaches while the end is being delivered waits for the next attempt", async () => {
    const { bus, router } = setUp();
    const late = recordingSink();
    router.attach("r", "first", { onDelta: () => {}, onEnd: () => void router.attach("r", "late", late.sink) });
    await end(bus);
    await settle();
    await token(bus, "next");
    await settle();
    expect(late.seen).toEqual(["next"]);
  });
});

describe("closing", () => {
  test("waits for the running deliveries and can be repeated [engine-stream-router-16]", async () => {
    const { bus, router } = setUp();
    const seen: string[] = [];
    router.attach("r", "sink", async () => {
      await settle();
      seen.push("delivered");
    });
    await token(bus, "1");
    await Promise.resolve();
    await settle();
    await Promise.all([router.close(), router.close()]);
    expect(seen).toEqual(["delivered"]);
    await token(bus, "2");
    await settle();
    expect(seen).toEqual(["delivered"]);
  });

  test("does not wait for a sink that hangs once it is detached [engine-stream-router-16]", async () => {
    const { bus, router } = setUp();
    const detach = router.attach("r", "hangs", () => new Promise(() => {}));
    await token(bus, "1");
    await settle();
    detach();
    await expect(router.close()).resolves.toBeUndefined();
  });

  test("abandons a sink that hangs after the time limit, and reports it [engine-stream-router-16]", async () => {
    const { bus, router, errors } = setUp({ closeTimeoutMs: 1 });
    const { sink, seen } = recordingSink();
    router.attach("r", "hangs", () => new Promise(() => {}));
    router.attach("r", "good", sink);
    for (const content of ["1", "2", "3"]) await token(bus, content);
    await settle();
    await Promise.all([router.close(), router.close()]);
    expect(seen).toEqual(["1", "2", "3"]);
    expect(errors).toEqual(["hangs: The sink hangs did not accept 2 buffered events within 1 ms."]);
  });

  test("nothing can be attached afterwards, nor without ids [engine-stream-router-17] [engine-stream-router-18]", async () => {
    const { router } = setUp();
    const { sink } = recordingSink();
    expect(() => router.attach("", "sink", sink)).toThrow(EngineError);
    expect(() => router.attach("r", "", sink)).toThrow(EngineError);
    await router.close();
    expect(() => router.attach("r", "sink", sink)).toThrow("The stream router is closed.");
  });

  test("a closed bus ends the router's runs", async () => {
    const { bus, router } = setUp();
    const { sink, seen } = recordingSink();
    router.attach("r", "sink", sink);
    await token(bus, "1");
    bus.close();
    await settle();
    await router.close();
    expect(seen).toEqual(["1"]);
  });
});

test("a payload that cannot be decoded reaches the handler and not the sink [engine-stream-router-19]", async () => {
  const { bus, router, errors } = setUp();
  const { sink, seen } = recordingSink();
  router.attach("r", "sink", sink);
  const envelope: Envelope = createEnvelope("assistant_text_delta", { type: "token", content: "" }, marks("r"));
  const broken: object = Object.assign(structuredClone(envelope), { payload: "no JSON" });
  const isEnvelope = (value: object): value is Envelope => "payload" in value;
  if (isEnvelope(broken)) await bus.publish(broken);
  await token(bus, "1");
  await settle();
  expect(seen).toEqual(["1"]);
  expect(errors).toEqual(["sink: The stream delta is invalid: its payload is not JSON"]);
});
