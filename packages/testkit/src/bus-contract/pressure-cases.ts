import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefused, isPending, outcomeOf, settle, settles } from "../contract/expectations.ts";
import { sampleEnvelope } from "../envelope/sample-envelope.ts";
import { nextOf, readBus, say } from "./bus-reader.ts";
import type { BusSubject } from "./contract-bus.ts";

function numbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
}

/** Conformance cases for full subscriptions. */
export const pressureCases: readonly CaseBody<BusSubject>[] = [
  {
    id: "bus/drops-newest",
    requirement: ["engine-bus-3", "engine-bus-4"],
    title: "A full subscription drops the newest by default, holds 64 by default, and counts what it dropped",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a");
      await say(bus, "a", ...numbers(1, 70));
      assert.equal(subscription.dropped, 6);
      await readBus(subscription).reads(...numbers(1, 64));
    },
  },
  {
    id: "bus/buffer-size",
    requirement: "engine-bus-3",
    title: "A subscription holds as many as it asked for",
    async check({ create }) {
      const bus = await create();
      const [small, large] = [bus.subscribe("a", { bufferSize: 2 }), bus.subscribe("a", { bufferSize: 200 })];
      await say(bus, "a", ...numbers(1, 150));
      assert.deepEqual([small.dropped, large.dropped], [148, 0]);
      await readBus(small).reads("1", "2");
      await readBus(large).reads(...numbers(1, 150));
    },
  },
  {
    id: "bus/drops-oldest",
    requirement: ["engine-bus-3", "engine-bus-4"],
    title: "A full subscription that asked for it drops the oldest",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a", { bufferSize: 3, backpressure: "drop_oldest" });
      await say(bus, "a", ...numbers(1, 5));
      assert.equal(subscription.dropped, 2);
      await readBus(subscription).reads("3", "4", "5");
    },
  },
  {
    id: "bus/sample",
    requirement: ["engine-bus-3", "engine-bus-4"],
    title: "A sampling subscription takes its part of all envelopes and counts the others",
    async check({ create }) {
      const bus = await create();
      const asked = [0, 0.5, 1, undefined].map((sampleRate) =>
        bus.subscribe("a", { bufferSize: 1_000, backpressure: "sample", sampleRate }),
      );
      await say(bus, "a", ...numbers(1, 400));
      const [none = 0, half = 0, all = 0, unset = 0] = asked.map(({ dropped }) => dropped);
      assert.deepEqual([none, all, unset], [400, 0, 0]);
      assert.ok(half > 120 && half < 280, `${half} of 400 were left out at a rate of one half`);
    },
  },
  {
    id: "bus/block",
    requirement: ["engine-bus-3", "engine-bus-5"],
    title: "A full subscription that asked for it holds up its publisher until there is room, and loses nothing",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a", { bufferSize: 2, backpressure: "block" });
      await say(bus, "a", "1", "2");
      const parked = say(bus, "a", "3");
      assert.equal(await isPending(parked), true, "the publisher was not held up");
      const iterator = subscription[Symbol.asyncIterator]();
      assert.equal(await nextOf(iterator), "1");
      await parked;
      assert.deepEqual([await nextOf(iterator), await nextOf(iterator), subscription.dropped], ["2", "3", 0]);
    },
  },
  {
    id: "bus/block-order",
    requirement: ["engine-bus-1", "engine-bus-5"],
    title: "Publishers that are held up go on in the order in which they came",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a", { bufferSize: 1, backpressure: "block" });
      const parked = ["1", "2", "3", "4"].map((id) => say(bus, "a", id));
      await settle();
      await readBus(subscription).reads("1", "2", "3", "4");
      await Promise.all(parked);
    },
  },
  {
    id: "bus/block-ends",
    requirement: "engine-bus-5",
    title: "A publisher that is held up goes on when the subscription ends or the bus is closed",
    async check({ create }) {
      for (const how of ["the subscription", "its signal", "the bus"]) {
        const bus = await create();
        const controller = new AbortController();
        const options = { bufferSize: 1, backpressure: "block", signal: controller.signal } as const;
        const subscription = bus.subscribe("a", options);
        await say(bus, "a", "1");
        const parked = outcomeOf(() => say(bus, "a", "2"));
        await settle();
        if (how === "the subscription") subscription.close();
        else if (how === "its signal") controller.abort();
        else bus.close();
        await settles(parked, `The end of a publishing that was held up, once ${how} was closed,`);
      }
    },
  },
  {
    id: "bus/block-cancelled",
    requirement: "engine-bus-5",
    title: "A publisher that is held up goes on by its own cancellation, classified as aborted or timeout",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a", { bufferSize: 1, backpressure: "block" });
      await say(bus, "a", "1");
      const controller = new AbortController();
      const parked = outcomeOf(() => bus.publish(sampleEnvelope("a", "2"), { signal: controller.signal }));
      await settle();
      controller.abort();
      const outcome = await parked;
      await assertRefused(
        () => ("error" in outcome ? Promise.reject(outcome.error) : undefined),
        ["aborted", "timeout"],
        "the cancelled publishing",
      );
      const late = (): Promise<void> =>
        bus.publish(sampleEnvelope("a", "3"), { signal: AbortSignal.abort(new DOMException("late", "TimeoutError")) });
      await assertRefused(late, ["aborted", "timeout"], "a publishing whose time is up");
      await readBus(subscription).reads("1");
    },
  },
  {
    id: "bus/keep",
    requirement: "engine-bus-3",
    title: "Envelopes to be kept are never dropped, whatever is asked for otherwise",
    async check({ create }) {
      const bus = await create();
      const keep = ({ id }: { id: string }): boolean => id === "keep";
      const asked = [
        bus.subscribe("a", { bufferSize: 1, keep }),
        bus.subscribe("a", { bufferSize: 1, keep, backpressure: "drop_oldest" }),
        bus.subscribe("a", { bufferSize: 1, keep, backpressure: "sample", sampleRate: 0 }),
      ];
      await say(bus, "a", "1", "keep", "2", "3");
      const readers = asked.map((subscription) => readBus(subscription));
      await settle();
      for (const { ids } of readers) assert.ok(ids.includes("keep"), `only ${ids.join(", ")} arrived`);
    },
  },
  {
    id: "bus/slow-reader",
    requirement: "engine-bus-2",
    title: "A reader that never reads holds up neither the publisher nor other readers",
    async check({ create }) {
      const bus = await create();
      bus.subscribe("a", { bufferSize: 1 });
      bus.subscribe("a", { bufferSize: 1, backpressure: "drop_oldest" });
      const reader = readBus(bus.subscribe("a"));
      const publishing = say(bus, "a", "1", "2", "3");
      await settles(publishing, "Publishing beside readers that never read");
      await reader.reads("1", "2", "3");
    },
  },
  {
    id: "bus/blocking-alone",
    requirement: "engine-bus-2",
    title: "A reader that asked for blocking holds up the publisher and no other reader",
    async check({ create }) {
      const bus = await create();
      bus.subscribe("a", { bufferSize: 1, backpressure: "block" });
      const reader = readBus(bus.subscribe("a"));
      await say(bus, "a", "1");
      const parked = outcomeOf(() => say(bus, "a", "2"));
      await reader.reads("1", "2");
      assert.equal(await isPending(parked), true, "the publisher was not held up");
    },
  },
];
