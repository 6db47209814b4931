// @ts-check
import { createEventBus, createStreamRouter, patternRunStream } from "@switchyard/engine";
import { plainFigure } from "../../figure/figure.mjs";
import { RUN_ID, tokenEnvelopes } from "./token-envelopes.mjs";

/** @import { Figure } from "../../figure/figure.mjs" */

const BURST = 20_000;
const ALL = { exactly: BURST };

/** Waits for one event loop turn: the time of a slow sink per delta. @returns {Promise<void>} */
function takeTime() {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Sends the burst through a router to a slow sink.
 * @param {{ bufferSize?: number }} options
 * @returns {Promise<{ delivered: number, dropped: number }>}
 */
async function burstThroughRouter(options) {
  let [delivered, dropped] = [0, 0];
  const drop = () => {
    dropped += 1;
  };
  const bus = createEventBus({ observer: { onDrop: drop } });
  const router = createStreamRouter(bus, { ...options, onSinkDrop: drop });
  router.attach(RUN_ID, "slow", async () => {
    await takeTime();
    delivered += 1;
  });
  for (const envelope of tokenEnvelopes(BURST)) await bus.publish(envelope);
  await router.close();
  return { delivered, dropped };
}

/**
 * Sends the burst to a slow reader of the bus for whom the publisher waits.
 * @returns {Promise<{ delivered: number, wall: number }>}
 */
async function burstThatWaits() {
  const bus = createEventBus();
  const subscription = bus.subscribe(patternRunStream(RUN_ID), { backpressure: "block" });
  let delivered = 0;
  const start = performance.now();
  const reading = (async () => {
    for await (const _ of subscription) {
      await takeTime();
      delivered += 1;
    }
  })();
  for (const envelope of tokenEnvelopes(BURST)) await bus.publish(envelope);
  bus.close();
  await reading;
  return { delivered, wall: performance.now() - start };
}

/** Measures how much of a burst reaches a slow sink. @returns {Promise<readonly Figure[]>} */
export async function measureBursts() {
  const roomy = await burstThroughRouter({ bufferSize: BURST });
  const bounded = await burstThroughRouter({});
  const waiting = await burstThatWaits();
  return [
    plainFigure({ name: "delivered, buffer as long as the burst", unit: "events", target: ALL }, roomy.delivered),
    plainFigure({ name: "delivered, publisher waits", unit: "events", target: ALL }, waiting.delivered),
    plainFigure({ name: "delivered, default buffer", unit: "events" }, bounded.delivered),
    plainFigure(
      { name: "delivered or reported as dropped, default buffer", unit: "events", target: ALL },
      bounded.delivered + bounded.dropped,
    ),
  ];
}
