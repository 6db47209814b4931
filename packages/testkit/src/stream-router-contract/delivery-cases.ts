import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { becomes, settle } from "../contract/expectations.ts";
import { sampleEnvelope, sampleToken } from "../envelope/sample-envelope.ts";
import { endRun, recordingSink, type StreamRouterSubject, stream } from "./stream-router-subject.ts";

/** Conformance cases for the delivery of streamed events to sinks (receivers). */
export const deliveryCases: readonly CaseBody<StreamRouterSubject>[] = [
  {
    id: "router/every-sink",
    requirement: ["engine-stream-router-2", "engine-stream-router-10"],
    title: "Delivers every delta of a run to each of several sinks, in bus order",
    async check({ create }) {
      const { bus, router } = await create();
      const sinks = [recordingSink(), recordingSink(), recordingSink()];
      for (const [index, sink] of sinks.entries()) router.attach("r", `sink ${index}`, sink);
      await stream(bus, "r", "1", "2", "3");
      await settle();
      for (const { got } of sinks) assert.deepEqual(got, ["1", "2", "3"]);
    },
  },
  {
    id: "router/before-the-run",
    requirement: "engine-stream-router-3",
    title: "Delivers everything to a sink that is attached before the run produces output",
    async check({ create }) {
      const { bus, router } = await create();
      const sink = recordingSink();
      router.attach("r", "early", sink);
      await settle();
      await stream(bus, "r", "1");
      await settle();
      assert.deepEqual(sink.got, ["1"]);
    },
  },
  {
    id: "router/one-run",
    requirement: ["engine-stream-router-6", "engine-subjects-11"],
    title: "Delivers nothing of another run to a sink, even if its id has the same prefix",
    async check({ create }) {
      const { bus, router } = await create();
      const [first, second] = [recordingSink(), recordingSink()];
      router.attach("r", "sink", first);
      router.attach("r2", "sink", second);
      await stream(bus, "r", "1");
      await stream(bus, "r2", "2");
      await stream(bus, "r3", "3");
      await endRun(bus, "r2");
      await stream(bus, "r", "4");
      await settle();
      assert.deepEqual(
        [first.got, second.got],
        [
          ["1", "4"],
          ["2", "end"],
        ],
      );
    },
  },
  {
    id: "router/increments-only",
    requirement: "engine-stream-router-6",
    title: "Delivers only deltas to a sink, unless all events are requested",
    async check({ create }) {
      const { bus, router } = await create();
      const sink = recordingSink();
      router.attach("r", "sink", sink);
      await bus.publish(sampleEnvelope("engine.run.r.session.agent.warning", "w"));
      await stream(bus, "r", "1");
      await endRun(bus, "r");
      await settle();
      assert.deepEqual(sink.got, ["1", "end"]);
    },
  },
  {
    id: "router/all-events",
    requirement: "engine-stream-router-7",
    title: "Delivers the raw envelope if all events are requested, and no delta for other events",
    async check({ create }) {
      const { bus, router } = await create({ allEvents: true });
      const sink = recordingSink();
      router.attach("r", "sink", sink);
      await bus.publish(sampleEnvelope("engine.run.r.session.agent.warning", "w"));
      await stream(bus, "r", "1");
      await endRun(bus, "r");
      await settle();
      assert.deepEqual(sink.got, ["warning", "1", "run_end", "end"]);
    },
  },
  {
    id: "router/function-sink",
    requirement: "engine-stream-sink-1",
    title: "Accepts a plain function as a sink",
    async check({ create }) {
      const { bus, router } = await create();
      const got: unknown[] = [];
      router.attach("r", "sink", (envelope, delta) => void got.push([envelope.id, delta?.type, delta?.content]));
      await stream(bus, "r", "1");
      await endRun(bus, "r");
      await settle();
      assert.deepEqual(got, [["1", "token", "1"]]);
    },
  },
  {
    id: "router/undecodable",
    requirement: "engine-stream-router-19",
    title: "Passes a delta that cannot be decoded to the error handler, not to the sink",
    async check({ create }) {
      const failed: string[] = [];
      const { bus, router } = await create({ onSinkError: (sinkId) => void failed.push(sinkId) });
      const sink = recordingSink();
      router.attach("r", "sink", sink);
      const broken = Object.assign(sampleToken("r", "broken"), { payload: "no JSON" });
      await bus.publish(broken);
      await stream(bus, "r", "1");
      await settle();
      assert.deepEqual([failed, sink.got], [["sink"], ["1"]]);
    },
  },
  {
    id: "router/buffer-default",
    requirement: "engine-stream-router-11",
    title: "Buffers 256 events for a slow sink unless another size is given",
    async check({ create }) {
      const { bus, router } = await create();
      const waiting = await slowSink(bus, router, 300);
      assert.equal(waiting, 257, "expected the delta being delivered and 256 waiting ones");
    },
  },
  {
    id: "router/buffer-size",
    requirement: ["engine-stream-router-11", "engine-stream-router-12"],
    title: "Uses the given buffer size, whatever the subscription options contain",
    async check({ create }) {
      const subscription = Object.assign({ predicate: () => true }, { bufferSize: 1_000 });
      const { bus, router } = await create({ bufferSize: 3, subscription });
      assert.equal(await slowSink(bus, router, 20), 4, "expected the delta being delivered and 3 waiting ones");
    },
  },
  {
    id: "router/subscription-options",
    requirement: "engine-stream-router-12",
    title: "Passes subscription options on, which cannot hide the end of a run",
    async check({ create }) {
      const { bus, router } = await create({ subscription: { predicate: ({ id }) => id === "2" } });
      const sink = recordingSink();
      router.attach("r", "sink", sink);
      await stream(bus, "r", "1", "2", "3");
      await endRun(bus, "r");
      await settle();
      assert.deepEqual(sink.got, ["2", "end"]);
    },
  },
];

/**
 * Returns how many deltas (pieces of streamed text) a sink received in total. The sink blocks at the first delta while
 * the others arrive.
 */
async function slowSink(
  bus: Parameters<typeof stream>[0],
  router: { attach(runId: string, sinkId: string, sink: () => Promise<void>): () => void },
  count: number,
): Promise<number> {
  let delivered = 0;
  let release = (): void => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  router.attach("r", "slow", () => {
    delivered += 1;
    return blocked;
  });
  await stream(bus, "r", "first");
  await becomes(() => delivered === 1, "The delivery of the first increment");
  await stream(bus, "r", ...Array.from({ length: count }, (_, index) => `${index}`));
  release();
  await settle();
  return delivered;
}
