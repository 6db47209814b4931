import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefused, settle } from "../contract/expectations.ts";
import { sampleEnvelope } from "../envelope/sample-envelope.ts";
import { publishAll, readBus } from "./bus-reader.ts";
import type { BusSubject } from "./contract-bus.ts";

/** Conformance cases for event delivery: which envelopes reach a subscriber, and in what order. */
export const deliveryCases: readonly CaseBody<BusSubject>[] = [
  {
    id: "bus/order",
    requirement: "engine-bus-1",
    title: "Delivers the envelopes that match a subscriber's pattern, in publishing order",
    async check({ create }) {
      const bus = await create();
      const reader = readBus(bus.subscribe("run.>"));
      await publishAll(bus, "run.a.x", "1", "2");
      await publishAll(bus, "other.a", "no");
      await publishAll(bus, "run.b", "3");
      await reader.reads("1", "2", "3");
    },
  },
  {
    id: "bus/order-of-late-reader",
    requirement: "engine-bus-1",
    title: "Delivers envelopes published since the subscription in order, and none published before it",
    async check({ create }) {
      const bus = await create();
      await publishAll(bus, "a", "before");
      const subscription = bus.subscribe("a");
      await publishAll(bus, "a", "1", "2");
      const reader = readBus(subscription);
      await publishAll(bus, "a", "3");
      await reader.reads("1", "2", "3");
    },
  },
  {
    id: "bus/every-subscriber",
    requirement: "engine-bus-1",
    title: "Delivers every matching envelope to each subscriber, also to two with the same pattern",
    async check({ create }) {
      const bus = await create();
      const readers = [readBus(bus.subscribe("a")), readBus(bus.subscribe("a")), readBus(bus.subscribe(">"))];
      await publishAll(bus, "a", "1", "2");
      for (const reader of readers) await reader.reads("1", "2");
    },
  },
  {
    id: "bus/late-subscriber",
    requirement: "engine-bus-1",
    title: "Delivers to a later subscriber only envelopes published afterwards, also for known subjects",
    async check({ create }) {
      const bus = await create();
      const first = readBus(bus.subscribe("a"));
      await publishAll(bus, "a", "1");
      const second = readBus(bus.subscribe("*"));
      await publishAll(bus, "a", "2");
      await first.reads("1", "2");
      await second.reads("2");
    },
  },
  {
    id: "bus/asterisk",
    requirement: "engine-envelope-4",
    title: "Matches exactly one segment with an asterisk",
    async check({ create }) {
      const bus = await create();
      const reader = readBus(bus.subscribe("run.*.end"));
      for (const subject of ["run.a.end", "run.end", "run.a.b.end", "run.a.end.b", "run.b.end"]) {
        await publishAll(bus, subject, subject);
      }
      await reader.reads("run.a.end", "run.b.end");
    },
  },
  {
    id: "bus/rest",
    requirement: "engine-envelope-5",
    title: "Matches one or more segments with a greater-than sign",
    async check({ create }) {
      const bus = await create();
      const reader = readBus(bus.subscribe("run.>"));
      for (const subject of ["run", "run.a", "run.a.b.c", "runs.a"]) await publishAll(bus, subject, subject);
      await reader.reads("run.a", "run.a.b.c");
    },
  },
  {
    id: "bus/literal",
    requirement: "engine-bus-1",
    title: "Matches all other pattern characters literally and case-sensitively",
    async check({ create }) {
      const bus = await create();
      const reader = readBus(bus.subscribe("run.a+b.(x)"));
      for (const subject of ["run.a+b.(x)", "Run.a+b.(x)", "run.aab.x", "run.a+b.(x).y"])
        await publishAll(bus, subject, subject);
      await reader.reads("run.a+b.(x)");
    },
  },
  {
    id: "bus/bad-patterns",
    requirement: ["engine-envelope-4", "engine-envelope-5"],
    title: "Rejects an invalid pattern with class validation",
    async check({ create }) {
      const bus = await create();
      for (const pattern of ["", "a..b", ".a", "a.", "a*", "a.*b", ">.a", "a.b>", "a".repeat(1_025)]) {
        await assertRefused(() => bus.subscribe(pattern), "validation", `the pattern ${pattern.slice(0, 20)}`);
      }
    },
  },
  {
    id: "bus/bad-subjects",
    requirement: "engine-envelope-3",
    title: "Rejects an invalid subject with class validation, and accepts one of 1,024 bytes",
    async check({ create }) {
      const bus = await create();
      const reader = readBus(bus.subscribe(">"));
      for (const subject of ["", "a..b", ".a", "a.", "a.*", "a.>", "ä".repeat(513)]) {
        const publish = (): Promise<void> => bus.publish(sampleEnvelope(subject, "bad"));
        await assertRefused(publish, "validation", `the subject ${subject.slice(0, 20)}`);
      }
      await publishAll(bus, "a".repeat(1_024), "good");
      await reader.reads("good");
    },
  },
  {
    id: "bus/predicate",
    requirement: "engine-bus-1",
    title: "Filters matching envelopes with a predicate, and does not count the others as dropped",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a", { predicate: ({ id }) => id !== "2" });
      const reader = readBus(subscription);
      await publishAll(bus, "a", "1", "2", "3");
      await reader.reads("1", "3");
      assert.equal(subscription.dropped, 0);
    },
  },
  {
    id: "bus/failing-predicate",
    requirement: ["engine-publisher-2", "engine-bus-2"],
    title: "Isolates the publisher and other subscribers from a predicate that throws",
    async check({ create }) {
      const bus = await create();
      const predicate = (): never => {
        throw new Error("the predicate failed");
      };
      bus.subscribe("a", { predicate });
      const reader = readBus(bus.subscribe("a"));
      await publishAll(bus, "a", "1", "2");
      await reader.reads("1", "2");
    },
  },
  {
    id: "bus/failing-reader",
    requirement: "engine-publisher-2",
    title: "Isolates the publisher and other readers from a reader that fails in its loop",
    async check({ create }) {
      const bus = await create();
      const failing = async (): Promise<void> => {
        for await (const _ of bus.subscribe("a", { bufferSize: 1, backpressure: "block" }))
          throw new Error("the reader failed");
      };
      const failed = assert.rejects(failing());
      const reader = readBus(bus.subscribe("a"));
      await publishAll(bus, "a", "1", "2", "3");
      await failed;
      await reader.reads("1", "2", "3");
    },
  },
  {
    id: "bus/observer",
    requirement: ["engine-bus-1", "engine-bus-4"],
    title: "Calls an observer once for each publish, each delivery and each drop, with the drop's reason",
    async check({ create }) {
      const delivered: string[] = [];
      const bus = await create({
        onPublish: ({ id }) => void delivered.push(`publish ${id}`),
        onDeliver: ({ id }, pattern) => void delivered.push(`deliver ${id} ${pattern}`),
        onDrop: ({ id }, { pattern, reason }) => void delivered.push(`drop ${id} ${pattern} ${reason}`),
      });
      bus.subscribe("a", { bufferSize: 1 });
      bus.subscribe("*", { backpressure: "sample", sampleRate: 0 });
      await publishAll(bus, "a", "1", "2");
      await settle();
      assert.deepEqual([...delivered].sort(), [
        "deliver 1 a",
        "drop 1 * sampled",
        "drop 2 * sampled",
        "drop 2 a buffer_full",
        "publish 1",
        "publish 2",
      ]);
      assert.equal(delivered[0], "publish 1", "the observer was called for the publish after its deliveries");
    },
  },
  {
    id: "bus/failing-observer",
    requirement: "engine-bus-2",
    title: "Isolates publishers and subscribers from an observer that throws",
    async check({ create }) {
      const fail = (): never => {
        throw new Error("the observer failed");
      };
      const bus = await create({ onPublish: fail, onDeliver: fail, onDrop: fail });
      bus.subscribe("a", { bufferSize: 1 });
      const reader = readBus(bus.subscribe("a"));
      await publishAll(bus, "a", "1", "2");
      await reader.reads("1", "2");
    },
  },
];
