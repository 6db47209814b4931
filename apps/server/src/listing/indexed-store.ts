import type { RunRecord, RunRequest, RunStore, RunWriter } from "@switchyard/contracts";
import type { RunIndex } from "./run-index.ts";
import { wrapWriter } from "./wrap-writer.ts";

/**
 * Wraps a run store so that an index is updated with every run that is created, changed or deleted through the wrapper.
 */
export function indexedStore(store: RunStore, index: RunIndex): RunStore {
  const watched = (writer: RunWriter): RunWriter => {
    index.put(writer.record, true);
    return watchedWriter(writer, index);
  };
  const { add, sizes } = store;
  return {
    durability: store.durability,
    documents: store.documents,
    ...(add !== undefined && {
      add: async (record: RunRecord, request: RunRequest) => {
        await add(record, request);
        index.put(record, false);
      },
    }),
    ...(sizes !== undefined && { sizes: () => sizes() }),
    create: async (record, request) => watched(await store.create(record, request)),
    acquire: async (runId, options) => watched(await store.acquire(runId, options)),
    list: () => index.list(),
    show: (runId) => index.show(runId),
    events: (runId, afterSeq) => store.events(runId, afterSeq),
    load: (runId) => store.load(runId),
    delete: async (runId) => {
      await store.delete(runId);
      index.remove(runId);
    },
    collectGarbage: async (options) => {
      const removed = await store.collectGarbage(options);
      for (const runId of removed) index.remove(runId);
      return removed;
    },
    close: () => store.close(),
  };
}

function watchedWriter(writer: RunWriter, index: RunIndex): RunWriter {
  const { runId } = writer;
  return wrapWriter(writer, {
    update: async (changes) => {
      await writer.update(changes);
      index.put(writer.record, true);
    },
    finish: async (report, changes) => {
      await writer.finish(report, changes);
      index.put({ ...writer.record, ...changes, run_id: runId }, false);
    },
    release: async () => {
      await writer.release();
      index.release(runId);
    },
  });
}
