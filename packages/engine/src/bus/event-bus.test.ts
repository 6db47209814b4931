import { EngineError, type Envelope } from "@switchyard/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createEnvelope,
  createEventBus,
  type DropReason,
  patternAllRuns,
  patternRun,
  type Subscription,
} from "../index.ts";

let created = 0;

function note(content: string, runId = "r"): Envelope {
  created += 1;
  const id = `id-${created}`;
  return createEnvelope(
    "notification",
    { message: content },
    { runId, actor: "a", attempt: 1, now: () => 0, createId: () => id },
  );
}

function contentOf(envelope: Envelope): string {
  return envelope.type === "notification" ? envelope.payload.message : envelope.type;
}

/** Reads the waiting envelopes and ends. */
async function drain(subscription: Subscription): Promise<string[]> {
  const read: string[] = [];
  for await (const envelope of subscription) read.push(contentOf(envelope));
  return read;
}

test("a subscriber receives the envelopes that match its pattern, in order [engine-bus-1]", async () => {
  const bus = createEventBus();
  const [one, all] = [bus.subscribe(patternRun("r")), bus.subscribe(patternAllRuns())];
  for (const [content, run] of [
    ["1", "r"],
    ["2", "other"],
    ["3", "r"],
  ] as const)
    await bus.publish(note(content, run));
  bus.close();
  expect([await drain(one), await drain(all)]).toEqual([
    ["1", "3"],
    ["1", "2", "3"],
  ]);
});

test("a waiting reader is woken, and a later subscriber receives no earlier envelopes [engine-bus-1]", async () => {
  const bus = createEventBus();
  const early = bus.subscribe(">");
  const reading = drain(early);
  await bus.publish(note("1"));
  const late = bus.subscribe(">");
  await bus.publish(note("2"));
  bus.close();
  expect([await reading, await drain(late)]).toEqual([["1", "2"], ["2"]]);
});

describe("a full subscription [engine-bus-2] [engine-bus-3] [engine-bus-4]", () => {
  async function publishFive(
    options: Parameters<ReturnType<typeof createEventBus>["subscribe"]>[1],
  ): Promise<{ read: string[]; dropped: number }> {
    const bus = createEventBus();
    const subscription = bus.subscribe(">", { bufferSize: 2, ...options });
    const other = bus.subscribe(">");
    for (const content of ["1", "2", "3", "4", "5"]) await bus.publish(note(content));
    bus.close();
    expect(await drain(other)).toEqual(["1", "2", "3", "4", "5"]);
    return { read: await drain(subscription), dropped: subscription.dropped };
  }

  test("drops the newest by default", async () => {
    expect(await publishFive({})).toEqual({ read: ["1", "2"], dropped: 3 });
    expect(await publishFive({ backpressure: "drop_newest" })).toEqual({ read: ["1", "2"], dropped: 3 });
  });

  test("drops the oldest envelope if configured", async () => {
    expect(await publishFive({ backpressure: "drop_oldest" })).toEqual({ read: ["4", "5"], dropped: 3 });
  });

  test("takes an even part when it samples, before it looks at the room", async () => {
    expect(await publishFive({ backpressure: "sample", sampleRate: 0.5, bufferSize: 9 })).toEqual({
      read: ["2", "4"],
      dropped: 3,
    });
    expect(await publishFive({ backpressure: "sample", sampleRate: -1 })).toEqual({ read: [], dropped: 5 });
    expect(await publishFive({ backpressure: "sample", sampleRate: 7, bufferSize: 9 })).toEqual({
      read: ["1", "2", "3", "4", "5"],
      dropped: 0,
    });
  });

  test("never drops an envelope that must not be lost", async () => {
    const keep = (envelope: Envelope): boolean => contentOf(envelope) === "4";
    expect(await publishFive({ keep })).toEqual({ read: ["1", "2", "4"], dropped: 2 });
    expect(
      (await publishFive({ keep: (envelope) => contentOf(envelope) === "1", backpressure: "drop_oldest" })).read,
    ).toEqual(["1", "5"]);
    expect((await publishFive({ keep, backpressure: "sample", sampleRate: 0 })).read).toEqual(["4"]);
  });

  test("accepts only envelopes that pass its predicate; a predicate that throws is a drop", async () => {
    expect(await publishFive({ predicate: (envelope) => contentOf(envelope) > "3" })).toEqual({
      read: ["4", "5"],
      dropped: 0,
    });
    const predicate = (): boolean => {
      throw new Error("broken");
    };
    expect(await publishFive({ predicate })).toEqual({ read: [], dropped: 5 });
  });
});

describe("a blocked publisher [engine-bus-5]", () => {
  test("waits for room, in order", async () => {
    const bus = createEventBus();
    const subscription = bus.subscribe(">", { bufferSize: 1, backpressure: "block" });
    const reader = subscription[Symbol.asyncIterator]();
    const settled: string[] = [];
    const publish = (content: string): Promise<void> =>
      bus.publish(note(content)).then(() => void settled.push(content));
    const all = Promise.all(["1", "2", "3"].map(publish));
    await publishBarrier();
    expect(settled).toEqual(["1"]);
    const read = [await reader.next(), await reader.next(), await reader.next()];
    await all;
    expect(settled).toEqual(["1", "2", "3"]);
    expect(read.map((result) => (result.done ? "end" : contentOf(result.value)))).toEqual(["1", "2", "3"]);
    expect(subscription.dropped).toBe(0);
  });

  test("is woken when the subscription ends, and the envelope counts as dropped", async () => {
    for (const end of ["close", "bus", "signal"] as const) {
      const bus = createEventBus();
      const controller = new AbortController();
      const subscription = bus.subscribe(">", { bufferSize: 1, backpressure: "block", signal: controller.signal });
      await bus.publish(note("1"));
      const blocked = bus.publish(note("2"));
      if (end === "close") subscription.close();
      else if (end === "bus") bus.close();
      else controller.abort();
      await blocked;
      expect(subscription.dropped).toBe(1);
    }
  });

  test("is woken by its own cancellation, classified", async () => {
    const bus = createEventBus();
    const subscription = bus.subscribe(">", { bufferSize: 1, backpressure: "block" });
    await bus.publish(note("1"));
    const controller = new AbortController();
    const blocked = bus.publish(note("2"), { signal: controller.signal }).catch((error: unknown) => error);
    controller.abort(new DOMException("late", "TimeoutError"));
    expect(EngineError.is(await blocked, "run.timed_out")).toBe(true);
    const late = await bus.publish(note("3"), { signal: AbortSignal.abort() }).catch((error: unknown) => error);
    expect(EngineError.is(late, "run.cancelled")).toBe(true);
    bus.close();
    expect(await drain(subscription)).toEqual(["1"]);
  });
});

/** Resolves after all work that is ready has run. */
function publishBarrier(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("closing ends all subscriptions, can be repeated and rejects later calls [engine-bus-6]", async () => {
  const bus = createEventBus();
  const reading = drain(bus.subscribe(">"));
  bus.close();
  bus.close();
  expect(await reading).toEqual([]);
  const refusal = await bus.publish(note("1")).catch((error: unknown) => error);
  expect(EngineError.is(refusal, "bus.closed")).toBe(true);
  expect(() => bus.subscribe(">")).toThrow(EngineError);
});

test("a subscription ends when its signal fires, or had fired [engine-bus-7]", async () => {
  const bus = createEventBus();
  const controller = new AbortController();
  const reading = drain(bus.subscribe(">", { signal: controller.signal }));
  controller.abort();
  expect(await reading).toEqual([]);
  expect(await drain(bus.subscribe(">", { signal: AbortSignal.abort() }))).toEqual([]);
});

test("leaving the loop ends the subscription", async () => {
  const bus = createEventBus();
  const subscription = bus.subscribe(">");
  await bus.publish(note("1"));
  await bus.publish(note("2"));
  for await (const envelope of subscription) {
    expect(contentOf(envelope)).toBe("1");
    break;
  }
  await bus.publish(note("3"));
  expect(await drain(subscription)).toEqual([]);
});

test("an invalid subject or pattern is refused [engine-envelope-2]", async () => {
  const bus = createEventBus();
  expect(() => bus.subscribe("a.>.b")).toThrow(EngineError);
  const refusal = await bus.publish({ ...note("1"), subject: "a.*" }).catch((error: unknown) => error);
  expect(EngineError.is(refusal, "subject.invalid")).toBe(true);
});

test("an observer receives every envelope, and its errors have no effect [engine-publisher-2]", async () => {
  const seen: string[] = [];
  const bus = createEventBus({
    observer: {
      onPublish: (envelope) => {
        seen.push(`publish ${contentOf(envelope)}`);
        throw new Error("broken");
      },
      onDeliver: (envelope, pattern) => void seen.push(`deliver ${contentOf(envelope)} ${pattern}`),
      onDrop: (envelope, { pattern, reason }: { pattern: string; reason: DropReason }) =>
        void seen.push(`drop ${contentOf(envelope)} ${pattern} ${reason}`),
    },
  });
  bus.subscribe(">", { bufferSize: 1 });
  await bus.publish(note("1"));
  await bus.publish(note("2"));
  expect(seen).toEqual(["publish 1", "deliver 1 >", "publish 2", "drop 2 > buffer_full"]);
});

test("new and ended subscriptions take effect from the next envelope, whatever was published before", async () => {
  const bus = createEventBus();
  const first = bus.subscribe("engine.run.r.>");
  await bus.publish(note("1"));
  const second = bus.subscribe("engine.*.r.>");
  await bus.publish(note("2"));
  first.close();
  await bus.publish(note("3"));
  bus.close();
  expect(await drain(second)).toEqual(["2", "3"]);
});

test("for any order of reads and publishes, a blocking subscription loses nothing and preserves the order [engine-bus-1]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { maxLength: 40 }),
      fc.integer({ min: 1, max: 5 }),
      async (script, bufferSize) => {
        const bus = createEventBus();
        const subscription = bus.subscribe(">", { bufferSize, backpressure: "block" });
        const reader = subscription[Symbol.asyncIterator]();
        const reads: Promise<IteratorResult<Envelope>>[] = [];
        const published: Promise<void>[] = [];
        for (const isRead of script) {
          if (isRead) reads.push(reader.next());
          else published.push(bus.publish(note(String(published.length))));
        }
        while (reads.length < published.length) reads.push(reader.next());
        await Promise.all(published);
        bus.close();
        const results = await Promise.all(reads);
        const read = results.filter((result) => !result.done).map((result) => contentOf(result.value));
        expect(read).toEqual(published.map((_, index) => String(index)));
      },
    ),
  );
});
