import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { becomes, settle } from "../contract/expectations.ts";
import { sampleEnvelope, sampleToken } from "../envelope/sample-envelope.ts";
import { endRun, recordingSink, type StreamRouterSubject, stream } from "./stream-router-subject.ts";

/** Conformance cases for delivery to sinks. */
export const deliveryCases: readonly CaseBody<StreamRouterSubject>[] = [
  {
    id: "router/every-sink",
    requirement: ["engine-stream-router-2", "engine-stream-router-10"],
    title: "Several sinks of one run each get every increment, in the order of the bus",
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
    title: "A sink that is attached before the run has produced anything misses nothing",
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
    title: "A sink gets nothing of another run, also of one whose id begins alike",
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
    title: "A sink gets increments only, unless all events were asked for",
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
    title: "With all events a sink gets the raw envelope, and no increment for what is no stream event",
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
    title: "A plain function is a sink",
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
    title: "An increment that cannot be decoded reaches the error handler and not the sink",
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
    title: "256 events wait for a slow sink unless another size is given",
    async check({ create }) {
      const { bus, router } = await create();
      const waiting = await slowSink(bus, router, 300);
      assert.equal(waiting, 257, "the one being delivered and 256 that wait were expected");
    },
  },
  {
    id: "router/buffer-size",
    requirement: ["engine-stream-router-11", "engine-stream-router-12"],
    title: "The size of the buffer that was given counts, whatever the options of the subscription say",
    async check({ create }) {
      const subscription = Object.assign({ predicate: () => true }, { bufferSize: 1_000 });
      const { bus, router } = await create({ bufferSize: 3, subscription });
      assert.equal(await slowSink(bus, router, 20), 4, "the one being delivered and 3 that wait were expected");
    },
  },
  {
    id: "router/subscription-options",
    requirement: "engine-stream-router-12",
    title: "Options for the subscription are passed on, and cannot hide the end of a run",
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

/** Returns how many deltas a sink received in total. The sink blocks at the first delta while the others arrive. */
async function slowSink(
  bus: Parameters<typeof stream>[0],
  router: { attach(runId: string, sinkId: string, sink: () => Promise<void>): () => void },
  count: number,
): Promise<number> {
  let delivered = 0;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  router.attach("r", "slow", () => {
    delivered += 1;
    return held;
  });
  await stream(bus, "r", "first");
  await becomes(() => delivered === 1, "The delivery of the first increment");
  await stream(bus, "r", ...Array.from({ length: count }, (_, index) => `${index}`));
  release();
  await settle();
  return delivered;
}
