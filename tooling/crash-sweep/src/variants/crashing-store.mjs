// @ts-check
import { delegate } from "../worker/traced-store.mjs";

/** @import { RunStore, RunWriter } from "@switchyard/contracts" */
/** @import { CrashPoints } from "../worker/crash-points.mjs" */

/**
 * Wraps a store with a boundary before and after each write, for stores whose files are not accessible.
 * @param {RunStore} store
 * @param {CrashPoints} points
 * @returns {RunStore}
 */
export function crashingStore(store, points) {
  /**
   * @param {RunWriter} writer
   * @returns {RunWriter}
   */
  function crashing(writer) {
    return delegate(writer, {
      append: (events) => points.around("store append", () => writer.append(events)),
      save: (checkpoint) => points.around("store save", () => writer.save(checkpoint)),
      update: (changes) => points.around("store update", () => writer.update(changes)),
      finish: (report, changes) => points.around("store finish", () => writer.finish(report, changes)),
    });
  }
  return delegate(store, {
    create: async (record, request) => {
      return crashing(await points.around("store create", () => store.create(record, request)));
    },
    acquire: async (runId, options) => {
      return crashing(await points.around("store acquire", () => store.acquire(runId, options)));
    },
  });
}
