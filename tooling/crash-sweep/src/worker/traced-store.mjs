// @ts-check
import { EngineError } from "@switchyard/contracts";
import { digestOfCheckpoint } from "../history/checkpoint-digest.mjs";

/** @import { RunStore, RunWriter } from "@switchyard/contracts" */
/** @import { WriteKind } from "../history/history.mjs" */
/** @import { Oracle } from "./oracle.mjs" */

/**
 * Wraps a store and records requests and acknowledgements.
 * @param {RunStore} store
 * @param {Oracle} oracle
 * @returns {RunStore}
 */
export function tracedStore(store, oracle) {
  /**
   * @param {RunWriter} writer
   * @param {boolean} takeOver
   * @returns {RunWriter}
   */
  function taken(writer, takeOver) {
    oracle.note({ at: "acquired", epoch: writer.epoch, takeOver });
    return tracedWriter(writer, oracle);
  }
  return delegate(store, {
    create: async (record, request) => taken(await store.create(record, request), false),
    acquire: async (runId, options) => taken(await store.acquire(runId, options), options?.takeOver === true),
  });
}

/**
 * @param {RunWriter} writer
 * @param {Oracle} oracle
 * @returns {RunWriter}
 */
function tracedWriter(writer, oracle) {
  let writes = 0;
  /**
   * @param {WriteKind} kind
   * @param {{ digest?: string, ids?: string[], status?: string }} details
   * @param {() => Promise<void>} work
   * @returns {Promise<void>}
   */
  async function write(kind, details, work) {
    writes += 1;
    const mark = { write: writes, kind, epoch: writer.epoch };
    oracle.note({ at: "began", ...mark, ...details });
    try {
      await work();
    } catch (error) {
      oracle.note({ at: "refused", ...mark, code: codeOf(error) });
      throw error;
    }
    oracle.note({ at: "done", ...mark });
  }
  return delegate(writer, {
    append: (events) => write("append", { ids: events.map(({ seq }) => String(seq)) }, () => writer.append(events)),
    save: (checkpoint) => write("save", { digest: digestOfCheckpoint(checkpoint) }, () => writer.save(checkpoint)),
    update: (changes) => write("update", {}, () => writer.update(changes)),
    finish: (report, changes) => {
      return write("finish", { status: changes.status ?? "" }, () => writer.finish(report, changes));
    },
  });
}

/**
 * Returns the code of an `EngineError`, or the name of any other error.
 * @param {unknown} error
 * @returns {string}
 */
export function codeOf(error) {
  if (EngineError.is(error)) return error.code;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/**
 * Returns an object with some own members that delegates all others.
 * @template {object} T
 * @param {T} inner
 * @param {Partial<T>} own
 * @returns {T}
 */
export function delegate(inner, own) {
  // The proxy target is derived, because methods of a frozen object could not be replaced.
  return new Proxy(Object.create(inner), {
    get: (_, name) => {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      const value = Reflect.get(inner, name, inner);
      return typeof value === "function" ? value.bind(inner) : value;
    },
  });
}
