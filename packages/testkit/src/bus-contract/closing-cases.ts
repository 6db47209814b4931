import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefused, settle } from "../contract/expectations.ts";
import { nextOf, readBus, say } from "./bus-reader.ts";
import type { BusSubject } from "./contract-bus.ts";

/** Conformance cases for closing subscriptions and the bus. */
export const closingCases: readonly CaseBody<BusSubject>[] = [
  {
    id: "bus/close-ends",
    requirement: "engine-bus-6",
    title: "Closing a bus ends all its subscriptions, once what waits has been read",
    async check({ create }) {
      const bus = await create();
      const reading = readBus(bus.subscribe("a"));
      const waiting = bus.subscribe("a");
      await say(bus, "a", "1", "2");
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
    title: "Closing can be repeated",
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
    title: "A closed bus refuses publishing and subscribing with class not_available",
    async check({ create }) {
      const bus = await create();
      bus.close();
      await assertRefused(() => say(bus, "a", "1"), "not_available", "publishing on a closed bus");
      await assertRefused(() => bus.subscribe("a"), "not_available", "subscribing to a closed bus");
    },
  },
  {
    id: "bus/signal-ends",
    requirement: "engine-bus-7",
    title: "A subscription ends when its signal fires, and one whose signal has fired is over from the beginning",
    async check({ create }) {
      const bus = await create();
      const controller = new AbortController();
      const reader = readBus(bus.subscribe("a", { signal: controller.signal }));
      await say(bus, "a", "1");
      await reader.reads("1");
      controller.abort();
      await reader.ends();
      const over = readBus(bus.subscribe("a", { signal: AbortSignal.abort() }));
      await say(bus, "a", "2");
      await over.ends();
      assert.deepEqual([reader.ids, over.ids], [["1"], []]);
    },
  },
  {
    id: "bus/subscription-close",
    requirement: "engine-bus-7",
    title: "A closed subscription wakes its reader and gives nothing more, and the others go on",
    async check({ create }) {
      const bus = await create();
      const [closed, open] = [bus.subscribe("a"), bus.subscribe("a")];
      const [first, second] = [readBus(closed), readBus(open)];
      await say(bus, "a", "1");
      await first.reads("1");
      closed.close();
      await first.ends();
      await say(bus, "a", "2");
      await second.reads("1", "2");
      assert.deepEqual(first.ids, ["1"]);
    },
  },
  {
    id: "bus/leaving-the-loop",
    requirement: ["engine-bus-5", "engine-bus-7"],
    title: "Leaving the loop over a subscription closes it, so that it holds up nobody",
    async check({ create }) {
      const bus = await create();
      const subscription = bus.subscribe("a", { bufferSize: 1, backpressure: "block" });
      await say(bus, "a", "1");
      for await (const { id } of subscription) {
        assert.equal(id, "1");
        break;
      }
      await say(bus, "a", "2", "3", "4");
      await settle();
      assert.equal(await nextOf(subscription[Symbol.asyncIterator]()), undefined);
    },
  },
];
