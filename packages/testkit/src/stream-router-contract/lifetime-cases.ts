import assert from "node:assert/strict";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { assertRefused, becomes, isPending, settle } from "../contract/expectations.ts";
import { endRun, recordingSink, type StreamRouterSubject, stream } from "./stream-router-subject.ts";

/** Conformance cases for attaching and detaching sinks (receivers of a stream), and for the end of the run. */
export const lifetimeCases: readonly CaseBody<StreamRouterSubject>[] = [
  {
    id: "router/needs-a-bus",
    requirement: "engine-stream-router-1",
    title: "Rejects a router without a bus with class validation",
    async check({ create }) {
      const { withoutBus } = await create();
      applies(withoutBus, "the subject cannot create a router without a bus");
      await assertRefused(withoutBus, "validation", "a router without a bus");
    },
  },
  {
    id: "router/end-tears-down",
    requirement: ["engine-stream-router-4", "engine-stream-router-5"],
    title: "Delivers the end of a run to its sinks last, and nothing after it",
    async check({ create }) {
      const { bus, router } = await create();
      const sink = recordingSink();
      router.attach("r", "sink", sink);
      await stream(bus, "r", "1");
      await endRun(bus, "r");
      await settle();
      await stream(bus, "r", "late");
      await settle();
      assert.deepEqual(sink.got, ["1", "end"]);
    },
  },
  {
    id: "router/next-attempt",
    requirement: "engine-stream-router-4",
    title: "Delivers the next attempt to a sink that is attached after the end of a run",
    async check({ create }) {
      const { bus, router } = await create();
      const [first, second] = [recordingSink(), recordingSink()];
      const detach = router.attach("r", "sink", first);
      await endRun(bus, "r");
      await settle();
      router.attach("r", "sink", second);
      detach();
      await stream(bus, "r", "again");
      await settle();
      assert.deepEqual([first.got, second.got], [["end"], ["again"]]);
    },
  },
  {
    id: "router/end-never-dropped",
    requirement: "engine-stream-router-5",
    title: "Delivers the end of a run to a sink that was too slow for earlier events",
    async check({ create }) {
      const { bus, router } = await create({ bufferSize: 1 });
      let release = (): void => {};
      const blocked = new Promise<void>((resolve) => {
        release = resolve;
      });
      let ended = false;
      router.attach("r", "slow", {
        onDelta: () => blocked,
        onEnd: () => {
          ended = true;
        },
      });
      await stream(bus, "r", "1", "2", "3", "4");
      await endRun(bus, "r");
      await settle();
      release();
      await becomes(() => ended, "The end of the run at the slow sink");
    },
  },
  {
    id: "router/sink-error",
    requirement: "engine-stream-router-8",
    title:
      "Passes synchronous and asynchronous errors of a sink to the handler with the sink's id, and continues all sinks",
    async check({ create }) {
      const failed: string[] = [];
      const onSinkError = (sinkId: string, error: unknown): void => void failed.push(`${sinkId} ${String(error)}`);
      const { bus, router } = await create({ onSinkError });
      const [got, sink] = [recordingSink(), recordingSink()];
      router.attach("r", "throwing", (envelope, delta) => {
        void got.onDelta(envelope, delta);
        throw new TypeError("at once");
      });
      router.attach("r", "rejecting", () => Promise.reject(new TypeError("later")));
      router.attach("r", "well", sink);
      await stream(bus, "r", "1", "2");
      await settle();
      assert.deepEqual(
        [sink.got, got.got],
        [
          ["1", "2"],
          ["1", "2"],
        ],
      );
      const [early, late] = ["throwing TypeError: at once", "rejecting TypeError: later"];
      assert.deepEqual(failed.sort(), [late, late, early, early]);
    },
  },
  {
    id: "router/failing-handler",
    requirement: "engine-stream-router-8",
    title: "Isolates sinks from an error handler that throws",
    async check({ create }) {
      const onSinkError = (): never => {
        throw new Error("the handler failed");
      };
      const { bus, router } = await create({ onSinkError });
      const sink = recordingSink();
      router.attach("r", "throwing", () => {
        throw new Error("no sink");
      });
      router.attach("r", "well", sink);
      await stream(bus, "r", "1", "2");
      await settle();
      assert.deepEqual(sink.got, ["1", "2"]);
    },
  },
  {
    id: "router/hanging-sink",
    requirement: "engine-stream-router-9",
    title: "Blocks neither other sinks nor the publisher because of a sink that never returns",
    async check({ create }) {
      const { bus, router } = await create();
      const sink = recordingSink();
      const detach = router.attach("r", "hanging", () => new Promise<void>(() => {}));
      router.attach("r", "well", sink);
      const publishing = stream(bus, "r", "1", "2", "3");
      await becomes(() => sink.got.length === 3, "The delivery to the sink beside the one that hangs");
      await publishing;
      detach();
    },
  },
  {
    id: "router/detach",
    requirement: "engine-stream-router-13",
    title: "Delivers nothing more, not even buffered events, to a detached sink, and ignores a second detach",
    async check({ create }) {
      const { bus, router } = await create();
      const [leaving, staying] = [recordingSink(), recordingSink()];
      const detach = router.attach("r", "leaving", leaving);
      router.attach("r", "staying", staying);
      await stream(bus, "r", "1");
      await settle();
      detach();
      detach();
      await stream(bus, "r", "2");
      await endRun(bus, "r");
      await settle();
      assert.deepEqual([leaving.got, staying.got], [["1"], ["1", "2", "end"]]);
    },
  },
  {
    id: "router/attach-again",
    requirement: "engine-stream-router-14",
    title: "Allows a detached id to be attached again",
    async check({ create }) {
      const { bus, router } = await create();
      const sink = recordingSink();
      router.attach("r", "sink", sink)();
      router.attach("r", "sink", sink);
      await stream(bus, "r", "1");
      await settle();
      assert.deepEqual(sink.got, ["1"]);
    },
  },
  {
    id: "router/stale-detach",
    requirement: "engine-stream-router-15",
    title: "Leaves a newer attachment of the same id unaffected when an earlier one is detached",
    async check({ create }) {
      const { bus, router } = await create();
      const [earlier, newer] = [recordingSink(), recordingSink()];
      const detach = router.attach("r", "sink", earlier);
      router.attach("r", "sink", newer);
      await stream(bus, "r", "1");
      await settle();
      detach();
      await stream(bus, "r", "2");
      await settle();
      assert.deepEqual([earlier.got, newer.got], [[], ["1", "2"]]);
    },
  },
  {
    id: "router/close-waits",
    requirement: "engine-stream-router-16",
    title: "Waits for started deliveries on close, and can be closed repeatedly",
    async check({ create }) {
      const { bus, router } = await create();
      let release = (): void => {};
      let delivered = false;
      const blocked = new Promise<void>((resolve) => {
        release = resolve;
      });
      router.attach("r", "sink", async () => {
        await blocked;
        delivered = true;
      });
      await stream(bus, "r", "1");
      await settle();
      const closing = router.close().then(() => assert.equal(delivered, true, "closed before the delivery was over"));
      assert.equal(await isPending(closing), true, "closed before the delivery was over");
      release();
      await closing;
      await router.close();
    },
  },
  {
    id: "router/closed-refuses",
    requirement: "engine-stream-router-17",
    title: "Rejects attaching to a closed router with class not_available, and delivers nothing more to its sinks",
    async check({ create }) {
      const { bus, router } = await create();
      const sink = recordingSink();
      router.attach("r", "sink", sink);
      await router.close();
      await stream(bus, "r", "late");
      await settle();
      await assertRefused(() => router.attach("r", "other", sink), "not_available", "attaching to a closed router");
      assert.deepEqual(sink.got, []);
    },
  },
  {
    id: "router/needs-ids",
    requirement: "engine-stream-router-18",
    title: "Rejects attaching without a run id or sink id with class validation",
    async check({ create }) {
      const { router } = await create();
      await assertRefused(() => router.attach("", "sink", recordingSink()), "validation", "attaching without a run id");
      await assertRefused(() => router.attach("r", "", recordingSink()), "validation", "attaching without a sink id");
    },
  },
];
