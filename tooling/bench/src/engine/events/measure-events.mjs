// @ts-check
import { EventEmitter } from "node:events";
import { createEventBus, createStreamRouter } from "@switchyard/engine";
import { ratioFigure } from "../../figure/figure.mjs";
import { cpuOf, takeTurns } from "../../figure/take-turns.mjs";
import { RUN_ID, tokenEnvelopes } from "./token-envelopes.mjs";

/** @import { Envelope } from "@switchyard/contracts" */
/** @import { Figure } from "../../figure/figure.mjs" */
/** @import { Contender } from "../../figure/take-turns.mjs" */

const ROUNDS = 9;
const SINKS = [1, 100, 1000];
const DELIVERIES = 100_000;
/** Number of events published without an event loop turn. Fewer than the capacity of any buffer. */
const BATCH = 64;

/** @returns {Promise<void>} */
function nextTurn() {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * @param {number} sinks
 * @returns {{ counter: { delivered: number }, callbacks: readonly ((envelope: Envelope) => Promise<void>)[] }}
 */
function countingSinks(sinks) {
  const counter = { delivered: 0 };
  const callbacks = Array.from({ length: sinks }, () => async () => {
    counter.delivered += 1;
  });
  return { counter, callbacks };
}

/**
 * @param {Contender["run"]} run
 * @param {{ counter: { delivered: number }, count: number }} options
 * @returns {Contender}
 */
function counted(run, { counter, count }) {
  return {
    count,
    run: async () => {
      counter.delivered = 0;
      await run(count);
      if (counter.delivered !== count) throw new Error(`${counter.delivered} of ${count} events were delivered.`);
    },
  };
}

/**
 * @param {number} sinks
 * @returns {Record<"router" | "loop" | "emitter", Contender>}
 */
function contendersFor(sinks) {
  const envelopes = tokenEnvelopes(DELIVERIES / sinks);
  const { counter, callbacks } = countingSinks(sinks);
  const bus = createEventBus();
  const router = createStreamRouter(bus);
  const emitter = new EventEmitter().setMaxListeners(sinks);
  for (const [index, callback] of callbacks.entries()) {
    router.attach(RUN_ID, `sink-${index}`, callback);
    emitter.on("event", callback);
  }
  const viaRouter = async () => {
    for (const [index, envelope] of envelopes.entries()) {
      await bus.publish(envelope);
      if (index % BATCH === BATCH - 1) await nextTurn();
    }
    await nextTurn();
  };
  const viaLoop = async () => {
    for (const envelope of envelopes) for (const callback of callbacks) await callback(envelope);
  };
  const viaEmitter = () => {
    for (const envelope of envelopes) emitter.emit("event", envelope);
  };
  const options = { counter, count: DELIVERIES };
  return {
    router: counted(viaRouter, options),
    loop: counted(viaLoop, options),
    emitter: counted(viaEmitter, options),
  };
}

/**
 * Measures events per second and CPU time per delivered event, from `publish` to the sinks of a router, compared with a
 * loop that awaits each sink and with `node:events`.
 * @returns {Promise<readonly Figure[]>}
 */
export async function measureEvents() {
  /** @type {Figure[]} */
  const figures = [];
  for (const sinks of SINKS) {
    const costs = await takeTurns(contendersFor(sinks), ROUNDS);
    const perSecond = (/** @type {string} */ name) => costs(name).map(({ wall }) => 1e6 / wall / sinks);
    for (const name of ["loop", "emitter"]) {
      const yardstick = { name, values: perSecond(name) };
      figures.push(ratioFigure({ name: `to ${sinks}, published`, unit: "events/s" }, perSecond("router"), yardstick));
    }
    for (const name of ["loop", "emitter"]) {
      const yardstick = { name, values: cpuOf(costs(name)) };
      figures.push(
        ratioFigure({ name: `to ${sinks}, CPU per delivery`, unit: "us" }, cpuOf(costs("router")), yardstick),
      );
    }
  }
  return figures;
}
