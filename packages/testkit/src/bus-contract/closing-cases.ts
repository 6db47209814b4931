import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefused, settle } from "../contract/expectations.ts";
import { nextOf, publishAll, readBus } from "./bus-reader.ts";
import type { BusSubject } from "./contract-bus.ts";

/** Conformance cases for closing subscriptions and the bus. */
export const closingCases: readonly CaseBody<BusSubject>[] = [
  {
    id: "bus/close-ends",
    requirement: "engine-bus-6",
    title: "Ends all subscriptions when the bus is closed, after their waiting envelopes are read",
    async check({ create }) {
      const bus = await create();
      const reading = readBus(bus.subscribe("a"));
      const waiting = bus.subscribe("a");
      await publishAll(bus, "a", "1", "2");
      bus.close();
      await reading.ends();
      const late = readBus(waiting);
      await late.ends();
      assert.deepEqual(
        [reading.ids, late.ids],
        [
          ["1", "2"],
          ["1", "2"],
        ],
      );
    },
  },
  {
    id: "bus/close-again",
    requirement: "engine-bus-6",
    title: "Allows the bus to be closed repeatedly",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a");
      bus.close();
      bus.close();
      subscription.close();
      subscription.close();
      await readBus(subscription).ends();
    },
  },
  {
    id: "bus/closed-refuses",
    requirement: "engine-bus-6",
    title: "Rejects publishing and subscribing on a closed bus with class not_available",
    async check({ create }) {
      const bus = await create();
      bus.close();
      await assertRefused(() => publishAll(bus, "a", "1"), "not_available", "publishing on a closed bus");
      await assertRefused(() => bus.subscribe("a"), "not_available", "subscribing to a closed bus");
    },
  },
  {
    id: "bus/signal-ends",
    requirement: "engine-bus-7",
    title: "Ends a subscription when its signal aborts, or immediately if the signal has already aborted",
    async check({ create }) {
      const bus = await create();
      const controller = new AbortController();
      const reader = readBus(bus.subscribe("a", { signal: controller.signal }));
      await publishAll(bus, "a", "1");
      await reader.reads("1");
      controller.abort();
      await reader.ends();
      const over = readBus(bus.subscribe("a", { signal: AbortSignal.abort() }));
      await publishAll(bus, "a", "2");
      await over.ends();
      assert.deepEqual([reader.ids, over.ids], [["1"], []]);
    },
  },
  {
    id: "bus/subscription-close",
    requirement: "engine-bus-7",
    title: "Wakes the reader of a closed subscription, delivers nothing more, and keeps other subscriptions working",
    async check({ create }) {
      const bus = await create();
      const [closed, open] = [bus.subscribe("a"), bus.subscribe("a")];
      const [first, second] = [readBus(closed), readBus(open)];
      await publishAll(bus, "a", "1");
      await first.reads("1");
      closed.close();
      await first.ends();
      await publishAll(bus, "a", "2");
      await second.reads("1", "2");
      assert.deepEqual(first.ids, ["1"]);
    },
  },
  {
    id: "bus/leaving-the-loop",
    requirement: ["engine-bus-5", "engine-bus-7"],
    title: "Closes a subscription when its reader leaves the loop, so that it blocks no publisher",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a", { bufferSize: 1, backpressure: "block" });
      await publishAll(bus, "a", "1");
      for await (const { id } of subscription) {
        assert.equal(id, "1");
        break;
      }
      await publishAll(bus, "a", "2", "3", "4");
      await settle();
      assert.equal(await nextOf(subscription[Symbol.asyncIterator]()), undefined);
    },
  },
];
