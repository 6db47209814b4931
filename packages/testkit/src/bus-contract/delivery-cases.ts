import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefused, settle } from "../contract/expectations.ts";
import { sampleEnvelope } from "../envelope/sample-envelope.ts";
import { readBus, say } from "./bus-reader.ts";
import type { BusSubject } from "./contract-bus.ts";

/** Conformance cases for event delivery: which envelopes reach a subscriber, and in what order. */
export const deliveryCases: readonly CaseBody<BusSubject>[] = [
  {
    id: "bus/order",
    requirement: "engine-bus-1",
    title: "A subscriber gets the envelopes that match its pattern, in the order of publishing",
    async check({ create }) {
      const bus = await create();
      const reader = readBus(bus.subscribe("run.>"));
      await say(bus, "run.a.x", "1", "2");
      await say(bus, "other.a", "no");
      await say(bus, "run.b", "3");
      await reader.reads("1", "2", "3");
    },
  },
  {
    id: "bus/order-of-late-reader",
    requirement: "engine-bus-1",
    title:
      "What was published before somebody read comes in order, and what was published before the subscription does not",
    async check({ create }) {
      const bus = await create();
      await say(bus, "a", "before");
      const subscription = bus.subscribe("a");
      await say(bus, "a", "1", "2");
      const reader = readBus(subscription);
      await say(bus, "a", "3");
      await reader.reads("1", "2", "3");
    },
  },
  {
    id: "bus/every-subscriber",
    requirement: "engine-bus-1",
    title: "Each subscriber gets every envelope of its own, also two of one pattern",
    async check({ create }) {
      const bus = await create();
      const readers = [readBus(bus.subscribe("a")), readBus(bus.subscribe("a")), readBus(bus.subscribe(">"))];
      await say(bus, "a", "1", "2");
      for (const reader of readers) await reader.reads("1", "2");
    },
  },
  {
    id: "bus/late-subscriber",
    requirement: "engine-bus-1",
    title: "A subscriber that comes later gets what is published from then on, also on subjects known before",
    async check({ create }) {
      const bus = await create();
      const first = readBus(bus.subscribe("a"));
      await say(bus, "a", "1");
      const second = readBus(bus.subscribe("*"));
      await say(bus, "a", "2");
      await first.reads("1", "2");
      await second.reads("2");
    },
  },
  {
    id: "bus/asterisk",
    requirement: "engine-envelope-4",
    title: "An asterisk in a pattern matches exactly one segment",
    async check({ create }) {
      const bus = await create();
      const reader = readBus(bus.subscribe("run.*.end"));
      for (const subject of ["run.a.end", "run.end", "run.a.b.end", "run.a.end.b", "run.b.end"]) {
        await say(bus, subject, subject);
      }
      await reader.reads("run.a.end", "run.b.end");
    },
  },
  {
    id: "bus/rest",
    requirement: "engine-envelope-5",
    title: "A greater-than sign matches one or more segments",
    async check({ create }) {
      const bus = await create();
      const reader = readBus(bus.subscribe("run.>"));
      for (const subject of ["run", "run.a", "run.a.b.c", "runs.a"]) await say(bus, subject, subject);
      await reader.reads("run.a", "run.a.b.c");
    },
  },
  {
    id: "bus/literal",
    requirement: "engine-bus-1",
    title: "All other characters of a pattern stand for themselves, and case matters",
    async check({ create }) {
      const bus = await create();
      const reader = readBus(bus.subscribe("run.a+b.(x)"));
      for (const subject of ["run.a+b.(x)", "Run.a+b.(x)", "run.aab.x", "run.a+b.(x).y"])
        await say(bus, subject, subject);
      await reader.reads("run.a+b.(x)");
    },
  },
  {
    id: "bus/bad-patterns",
    requirement: ["engine-envelope-4", "engine-envelope-5"],
    title: "What is no pattern is refused with class validation",
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
    title: "What is no subject is refused with class validation, and one of 1,024 bytes is taken",
    async check({ create }) {
      const bus = await create();
      const reader = readBus(bus.subscribe(">"));
      for (const subject of ["", "a..b", ".a", "a.", "a.*", "a.>", "ä".repeat(513)]) {
        const publish = (): Promise<void> => bus.publish(sampleEnvelope(subject, "bad"));
        await assertRefused(publish, "validation", `the subject ${subject.slice(0, 20)}`);
      }
      await say(bus, "a".repeat(1_024), "good");
      await reader.reads("good");
    },
  },
  {
    id: "bus/predicate",
    requirement: "engine-bus-1",
    title: "A predicate chooses among the envelopes that match, and what it leaves out counts as nothing lost",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a", { predicate: ({ id }) => id !== "2" });
      const reader = readBus(subscription);
      await say(bus, "a", "1", "2", "3");
      await reader.reads("1", "3");
      assert.equal(subscription.dropped, 0);
    },
  },
  {
    id: "bus/failing-predicate",
    requirement: ["engine-publisher-2", "engine-bus-2"],
    title: "A predicate that throws harms neither the publisher nor other subscribers",
    async check({ create }) {
      const bus = await create();
      const predicate = (): never => {
        throw new Error("no predicate");
      };
      bus.subscribe("a", { predicate });
      const reader = readBus(bus.subscribe("a"));
      await say(bus, "a", "1", "2");
      await reader.reads("1", "2");
    },
  },
  {
    id: "bus/failing-reader",
    requirement: "engine-publisher-2",
    title: "A reader that fails in its loop fails no publishing, and others read on",
    async check({ create }) {
      const bus = await create();
      const failing = async (): Promise<void> => {
        for await (const _ of bus.subscribe("a", { bufferSize: 1, backpressure: "block" }))
          throw new Error("no reader");
      };
      const failed = assert.rejects(failing());
      const reader = readBus(bus.subscribe("a"));
      await say(bus, "a", "1", "2", "3");
      await failed;
      await reader.reads("1", "2", "3");
    },
  },
  {
    id: "bus/observer",
    requirement: ["engine-bus-1", "engine-bus-4"],
    title: "An observer is told once of each publishing, and of each delivery and each drop with its reason",
    async check({ create }) {
      const told: string[] = [];
      const bus = await create({
        onPublish: ({ id }) => void told.push(`publish ${id}`),
        onDeliver: ({ id }, pattern) => void told.push(`deliver ${id} ${pattern}`),
        onDrop: ({ id }, { pattern, reason }) => void told.push(`drop ${id} ${pattern} ${reason}`),
      });
      bus.subscribe("a", { bufferSize: 1 });
      bus.subscribe("*", { backpressure: "sample", sampleRate: 0 });
      await say(bus, "a", "1", "2");
      await settle();
      assert.deepEqual([...told].sort(), [
        "deliver 1 a",
        "drop 1 * sampled",
        "drop 2 * sampled",
        "drop 2 a buffer_full",
        "publish 1",
        "publish 2",
      ]);
      assert.equal(told[0], "publish 1", "the publishing was told after its deliveries");
    },
  },
  {
    id: "bus/failing-observer",
    requirement: "engine-bus-2",
    title: "An observer that throws harms nobody",
    async check({ create }) {
      const fail = (): never => {
        throw new Error("no observer");
      };
      const bus = await create({ onPublish: fail, onDeliver: fail, onDrop: fail });
      bus.subscribe("a", { bufferSize: 1 });
      const reader = readBus(bus.subscribe("a"));
      await say(bus, "a", "1", "2");
      await reader.reads("1", "2");
    },
  },
];
