// @ts-check
// Stores with one fault each. The sweep is worth something only as long as it finds every one of them out.
import { setTimeout as wait } from "node:timers/promises";
import { EngineError } from "@switchyard/contracts";
import { delegate } from "../worker/traced-store.mjs";

/** @import { RunStore, RunWriter } from "@switchyard/contracts" */

/** Delay between acknowledgement and write of a faulty store, in milliseconds. */
const LATE_MS = 15;

/**
 * Wraps a store so that it acknowledges a checkpoint before it is stored.
 * @param {RunStore} store
 * @returns {RunStore}
 */
export function acknowledgesEarly(store) {
  return withWriters(store, (writer) => {
    let last = Promise.resolve();
    return delegate(writer, {
      save: async (checkpoint) => {
        last = last.then(() => wait(LATE_MS)).then(() => writer.save(checkpoint));
        last.catch(() => {});
      },
      finish: (report, changes) => last.then(() => writer.finish(report, changes)),
    });
  });
}

/**
 * Wraps a store so that it acknowledges events before they are stored, and clients see events that may be lost.
 * @param {RunStore} store
 * @returns {RunStore}
 */
export function publishesEarly(store) {
  return withWriters(store, (writer) => {
    let last = Promise.resolve();
    return delegate(writer, {
      append: async (events) => {
        last = last.then(() => wait(LATE_MS)).then(() => writer.append(events));
        last.catch(() => {});
      },
      finish: (report, changes) => last.then(() => writer.finish(report, changes)),
    });
  });
}

/**
 * Wraps a store so that it treats a damaged checkpoint as absent.
 * @param {RunStore} store
 * @returns {RunStore}
 */
export function forgetsDamage(store) {
  return withWriters(store, (writer) => {
    return delegate(writer, { load: () => writer.load().catch(() => undefined) });
  });
}

/**
 * Wraps a store so that it ignores lost checkpoints: writers then load nothing, and neither events nor the record
 * report it.
 * @param {RunStore} store
 * @returns {RunStore}
 */
export function ignoresLosses(store) {
  const silent = withWriters(store, (writer) => {
    return delegate(writer, {
      get record() {
        return { ...writer.record, newest_checkpoint: undefined };
      },
      load: async () => {
        try {
          return await writer.load();
        } catch (error) {
          if (EngineError.is(error, "checkpoint.lost")) return undefined;
          throw error;
        }
      },
    });
  });
  return delegate(silent, {
    events: async function* (runId, afterSeq) {
      for await (const event of store.events(runId, afterSeq)) {
        if (!/^(checkpoint_saved|tool_call_(start|end))$/.test(event.type)) yield event;
      }
    },
  });
}

/**
 * Wraps a store so that it stores only every other checkpoint.
 * @param {RunStore} store
 * @returns {RunStore}
 */
export function skipsSaves(store) {
  return withWriters(store, (writer) => {
    let saves = 0;
    return delegate(writer, {
      save: async (checkpoint) => {
        saves += 1;
        if (saves % 2 === 1) await writer.save(checkpoint);
      },
    });
  });
}

/**
 * Wraps a store so that it accepts writes with an old epoch.
 * @param {RunStore} store
 * @returns {RunStore}
 */
export function ignoresEpochs(store) {
  return withWriters(store, (writer) => {
    let current = writer;
    /**
     * @param {(writer: RunWriter) => Promise<void>} write
     * @returns {Promise<void>}
     */
    async function anyway(write) {
      try {
        await write(current);
      } catch (error) {
        if (!EngineError.is(error, "store.stale_epoch")) throw error;
        current = await store.acquire(writer.runId, { takeOver: true });
        await write(current);
      }
    }
    return delegate(writer, {
      // A newer writer is never noticed.
      signal: new AbortController().signal,
      append: (events) => {
        return anyway((to) => to.append(events.map((event, index) => renumber(event, to.lastSeq + 1 + index))));
      },
      save: (checkpoint) => anyway((to) => to.save(checkpoint)),
      update: (changes) => anyway((to) => to.update(changes)),
      finish: (report, changes) => anyway((to) => to.finish(report, changes)),
    });
  });
}

/**
 * @param {{ seq: number, text: string }} event
 * @param {number} seq
 * @returns {{ seq: number, text: string }}
 */
function renumber(event, seq) {
  return event.seq === seq ? event : { seq, text: JSON.stringify({ ...JSON.parse(event.text), seq }) };
}

/**
 * @param {RunStore} store
 * @param {(writer: RunWriter) => RunWriter} change
 * @returns {RunStore}
 */
function withWriters(store, change) {
  return delegate(store, {
    create: async (record, request) => change(await store.create(record, request)),
    acquire: async (runId, options) => change(await store.acquire(runId, options)),
  });
}
