import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefused, isPending, outcomeOf, settle, settles } from "../contract/expectations.ts";
import { sampleEnvelope } from "../envelope/sample-envelope.ts";
import { nextOf, publishAll, readBus } from "./bus-reader.ts";
import type { BusSubject } from "./contract-bus.ts";

function numbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
}

/** Conformance cases for subscriptions whose buffer is full. */
export const pressureCases: readonly CaseBody<BusSubject>[] = [
  {
    id: "bus/drops-newest",
    requirement: ["engine-bus-3", "engine-bus-4"],
    title: "Holds 64 envelopes by default, drops the newest ones when full, and counts them",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a");
      await publishAll(bus, "a", ...numbers(1, 70));
      assert.equal(subscription.dropped, 6);
      await readBus(subscription).reads(...numbers(1, 64));
    },
  },
  {
    id: "bus/buffer-size",
    requirement: "engine-bus-3",
    title: "Holds as many envelopes as the subscription requested",
    async check({ create }) {
      const bus = await create();
      const [small, large] = [bus.subscribe("a", { bufferSize: 2 }), bus.subscribe("a", { bufferSize: 200 })];
      await publishAll(bus, "a", ...numbers(1, 150));
      assert.deepEqual([small.dropped, large.dropped], [148, 0]);
      await readBus(small).reads("1", "2");
      await readBus(large).reads(...numbers(1, 150));
    },
  },
  {
    id: "bus/drops-oldest",
    requirement: ["engine-bus-3", "engine-bus-4"],
    title: "Drops the oldest envelopes of a full subscription that requested it",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a", { bufferSize: 3, backpressure: "drop_oldest" });
      await publishAll(bus, "a", ...numbers(1, 5));
      assert.equal(subscription.dropped, 2);
      await readBus(subscription).reads("3", "4", "5");
    },
  },
  {
    id: "bus/sample",
    requirement: ["engine-bus-3", "engine-bus-4"],
    title: "Delivers the requested fraction of envelopes to a sampling subscription, and counts the others",
    async check({ create }) {
      const bus = await create();
      const readers = [0, 0.5, 1, undefined].map((sampleRate) =>
        bus.subscribe("a", { bufferSize: 1_000, backpressure: "sample", sampleRate }),
      );
      await publishAll(bus, "a", ...numbers(1, 400));
      const [none = 0, half = 0, all = 0, unset = 0] = readers.map(({ dropped }) => dropped);
      assert.deepEqual([none, all, unset], [400, 0, 0]);
      assert.ok(half > 120 && half < 280, `${half} of 400 envelopes were dropped at a sample rate of one half`);
    },
  },
  {
    id: "bus/block",
    requirement: ["engine-bus-3", "engine-bus-5"],
    title: "Blocks the publisher for a full subscription that requested it, and loses nothing",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a", { bufferSize: 2, backpressure: "block" });
      await publishAll(bus, "a", "1", "2");
      const parked = publishAll(bus, "a", "3");
      assert.equal(await isPending(parked), true, "the publisher was not blocked");
      const iterator = subscription[Symbol.asyncIterator]();
      assert.equal(await nextOf(iterator), "1");
      await parked;
      assert.deepEqual([await nextOf(iterator), await nextOf(iterator), subscription.dropped], ["2", "3", 0]);
    },
  },
  {
    id: "bus/block-order",
    requirement: ["engine-bus-1", "engine-bus-5"],
    title: "Resumes blocked publishers in the order in which they arrived",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a", { bufferSize: 1, backpressure: "block" });
      const parked = ["1", "2", "3", "4"].map((id) => publishAll(bus, "a", id));
      await settle();
      await readBus(subscription).reads("1", "2", "3", "4");
      await Promise.all(parked);
    },
  },
  {
    id: "bus/block-ends",
    requirement: "engine-bus-5",
    title: "Resumes a blocked publisher when the subscription ends or the bus is closed",
    async check({ create }) {
      for (const how of ["the subscription", "its signal", "the bus"]) {
        const bus = await create();
        const controller = new AbortController();
        const options = { bufferSize: 1, backpressure: "block", signal: controller.signal } as const;
        const subscription = bus.subscribe("a", options);
        await publishAll(bus, "a", "1");
        const parked = outcomeOf(() => publishAll(bus, "a", "2"));
        await settle();
        if (how === "the subscription") subscription.close();
        else if (how === "its signal") controller.abort();
        else bus.close();
        await settles(parked, `The end of a blocked publish after ${how} was closed`);
      }
    },
  },
  {
    id: "bus/block-cancelled",
    requirement: "engine-bus-5",
    title: "Rejects a blocked publish with class aborted or timeout when its own signal aborts",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a", { bufferSize: 1, backpressure: "block" });
      await publishAll(bus, "a", "1");
      const controller = new AbortController();
      const parked = outcomeOf(() => bus.publish(sampleEnvelope("a", "2"), { signal: controller.signal }));
      await settle();
      controller.abort();
      const outcome = await parked;
      await assertRefused(
        () => ("error" in outcome ? Promise.reject(outcome.error) : undefined),
        ["aborted", "timeout"],
        "the cancelled publish",
      );
      const late = (): Promise<void> =>
        bus.publish(sampleEnvelope("a", "3"), { signal: AbortSignal.abort(new DOMException("late", "TimeoutError")) });
      await assertRefused(late, ["aborted", "timeout"], "a publish that timed out");
      await readBus(subscription).reads("1");
    },
  },
  {
    id: "bus/keep",
    requirement: "engine-bus-3",
    title: "Never drops an envelope that must be kept, whatever the backpressure mode",
    async check({ create }) {
      const bus = await create();
      const keep = ({ id }: { id: string }): boolean => id === "keep";
      const subscriptions = [
        bus.subscribe("a", { bufferSize: 1, keep }),
        bus.subscribe("a", { bufferSize: 1, keep, backpressure: "drop_oldest" }),
        bus.subscribe("a", { bufferSize: 1, keep, backpressure: "sample", sampleRate: 0 }),
      ];
      await publishAll(bus, "a", "1", "keep", "2", "3");
      const readers = subscriptions.map((subscription) => readBus(subscription));
      await settle();
      for (const { ids } of readers) assert.ok(ids.includes("keep"), `only ${ids.join(", ")} arrived`);
    },
  },
  {
    id: "bus/slow-reader",
    requirement: "engine-bus-2",
    title: "Blocks neither the publisher nor other readers because of a reader that never reads",
    async check({ create }) {
      const bus = await create();
      bus.subscribe("a", { bufferSize: 1 });
      bus.subscribe("a", { bufferSize: 1, backpressure: "drop_oldest" });
      const reader = readBus(bus.subscribe("a"));
      const publishing = publishAll(bus, "a", "1", "2", "3");
      await settles(publishing, "Publishing beside readers that never read");
      await reader.reads("1", "2", "3");
    },
  },
  {
    id: "bus/blocking-alone",
    requirement: "engine-bus-2",
    title: "Blocks only the publisher, and no other reader, for a reader that requested blocking",
    async check({ create }) {
      const bus = await create();
      bus.subscribe("a", { bufferSize: 1, backpressure: "block" });
      const reader = readBus(bus.subscribe("a"));
      await publishAll(bus, "a", "1");
      const parked = outcomeOf(() => publishAll(bus, "a", "2"));
      await reader.reads("1", "2");
      assert.equal(await isPending(parked), true, "the publisher was not blocked");
    },
  },
];
