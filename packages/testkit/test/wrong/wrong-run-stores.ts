import type { RunStore, RunWriter } from "@switchyard/contracts";
import type { RunStoreFactory } from "../../src/index.ts";
import { type RunDisk, type RunStoreFaults, simpleRunStore, simpleRunStoreSubject } from "../right/simple-run-store.ts";
import { altered, type Wrong } from "./wrong.ts";

function faulty(faults: RunStoreFaults): RunStoreFactory {
  return () => simpleRunStoreSubject(undefined, faults);
}

function but(changes: (right: RunStore, disk: RunDisk) => Partial<RunStore>): RunStoreFactory {
  return () => simpleRunStoreSubject((store, disk) => altered(store, changes(store, disk)));
}

function writing(changes: (right: RunWriter) => Partial<RunWriter>): RunStoreFactory {
  const change = (writer: RunWriter): RunWriter => altered(writer, changes(writer));
  return but((store) => ({
    create: async (record, request) => change(await store.create(record, request)),
    acquire: async (runId, options) => change(await store.acquire(runId, options)),
  }));
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Stores of runs with one fault each. */
export const wrongRunStores: readonly Wrong<RunStoreFactory>[] = [
  {
    fault: "a run is kept when it is over",
    noticedBy: ["run-store/created", "run-store/order"],
    factory: but((store, disk) => ({
      list: async () => (await store.list()).filter(({ runId }) => disk.get(runId)?.report !== undefined),
    })),
  },
  {
    fault: "what was asked for is not kept",
    noticedBy: ["run-store/created", "run-store/created-elsewhere", "run-store/new-writer"],
    factory: but((store) => ({
      create: (record) => store.create(record, { format: 1, input: { messages: [] } }),
    })),
  },
  {
    fault: "every process has runs of its own",
    noticedBy: [
      "run-store/created-elsewhere",
      "run-store/events-elsewhere",
      "run-store/checkpoint-elsewhere",
      "run-store/leased-elsewhere",
      "run-store/closed",
    ],
    factory: () => ({ store: simpleRunStore(), reopen: () => simpleRunStore() }),
  },
  {
    fault: "folders are relative",
    noticedBy: ["run-store/new-writer"],
    factory: writing(({ runId }) => ({ folder: runId })),
  },
  {
    fault: "a second run of an id takes the place of the first",
    noticedBy: ["run-store/one-of-an-id", "run-store/one-of-an-id-at-once"],
    factory: faulty({ takesConflicts: true }),
  },
  {
    fault: "an id is looked up before it is taken",
    noticedBy: ["run-store/one-of-an-id-at-once", "run-store/one-acquires"],
    factory: faulty({ pauses: true }),
  },
  {
    fault: "odd ids are made good",
    noticedBy: ["run-store/odd-ids"],
    factory: but((store) => ({
      create: (record, request) =>
        store.create({ ...record, run_id: record.run_id.replace(/\W/g, "_").slice(0, 128) || "_" }, request),
    })),
  },
  {
    fault: "an unknown run is an empty one",
    noticedBy: ["run-store/unknown"],
    factory: but((store) => ({ load: (runId) => store.load(runId).catch(() => undefined) })),
  },
  {
    fault: "runs are listed the oldest first",
    noticedBy: ["run-store/order"],
    factory: but((store) => ({ list: async () => (await store.list()).reverse() })),
  },
  {
    fault: "changes of the record are kept at the end",
    noticedBy: ["run-store/update", "run-store/next-attempt"],
    factory: writing(() => ({ update: async () => {} })),
  },
  {
    fault: "what is handed in and out is kept by reference",
    noticedBy: ["run-store/apart"],
    factory: faulty({ keepsReferences: true }),
  },
  {
    fault: "finishing keeps no report",
    noticedBy: ["run-store/finish", "run-store/next-attempt"],
    factory: writing((writer) => ({
      finish: async (_report, changes) => {
        await writer.update(changes);
        await writer.release();
      },
    })),
  },
  {
    fault: "finishing keeps the lease",
    noticedBy: ["run-store/finish", "run-store/next-attempt"],
    factory: writing((writer) => ({ finish: (_report, changes) => writer.update(changes) })),
  },
  {
    fault: "events come the newest first",
    noticedBy: ["run-store/events", "run-store/events-go-on"],
    factory: but((_store, disk) => ({
      async *events(runId) {
        yield* (disk.get(runId)?.events ?? []).toReversed();
      },
    })),
  },
  {
    fault: "all events come, whatever was asked for",
    noticedBy: ["run-store/events-behind"],
    factory: but((store) => ({ events: (runId) => store.events(runId) })),
  },
  {
    fault: "gaps between events are taken",
    noticedBy: ["run-store/events-without-gaps"],
    factory: faulty({ takesGaps: true }),
  },
  {
    fault: "the shortest event is written first",
    noticedBy: ["run-store/events-at-once"],
    factory: writing((writer) => ({
      append: async (events) => {
        for (let wait = events[0]?.seq ?? 0; wait < 8; wait += 1) await turn();
        await writer.append(events);
      },
    })),
  },
  {
    fault: "events are written when there is time",
    noticedBy: ["run-store/events-elsewhere", "run-store/events"],
    factory: writing((writer) => ({
      append: async (events) => {
        setTimeout(() => void writer.append(events).catch(() => undefined), 30);
      },
    })),
  },
  {
    fault: "a new writer begins to count anew",
    noticedBy: ["run-store/events-go-on"],
    factory: writing((writer) => {
      const before = writer.lastSeq;
      return Object.defineProperty({}, "lastSeq", { get: () => writer.lastSeq - before, enumerable: true });
    }),
  },
  {
    fault: "the first checkpoint stays",
    noticedBy: ["run-store/checkpoint", "run-store/checkpoint-goes-on"],
    factory: writing((writer) => ({
      save: async (checkpoint) => {
        if ((await writer.load()) === undefined) await writer.save(checkpoint);
      },
    })),
  },
  {
    fault: "checkpoints are kept as JSON",
    noticedBy: ["run-store/checkpoint-odd-data"],
    factory: writing((writer) => ({ save: (checkpoint) => writer.save(JSON.parse(JSON.stringify(checkpoint))) })),
  },
  {
    fault: "checkpoints are written when there is time",
    noticedBy: ["run-store/checkpoint-elsewhere", "run-store/checkpoint"],
    factory: writing((writer) => ({
      save: async (checkpoint) => {
        setTimeout(() => void writer.save(checkpoint).catch(() => undefined), 30);
      },
    })),
  },
  {
    fault: "checkpoints of others are taken",
    noticedBy: ["run-store/checkpoint-foreign"],
    factory: faulty({ takesForeign: true }),
  },
  {
    fault: "a damaged checkpoint is taken for a missing one",
    noticedBy: ["run-store/checkpoint-damaged"],
    factory: faulty({ losesDamage: true }),
  },
  {
    fault: "all runs have one checkpoint",
    noticedBy: ["run-store/runs-apart"],
    factory: but((store, disk) => ({
      load: async (runId) => {
        const [newest] = [...disk.values()].flatMap(({ checkpoint }) => checkpoint ?? []).slice(-1);
        return newest === undefined || newest === "damaged" ? store.load(runId) : { ...newest, execId: runId };
      },
    })),
  },
  {
    fault: "leases are not looked at",
    noticedBy: ["run-store/leased", "run-store/one-acquires", "run-store/leased-elsewhere"],
    factory: faulty({ takesLeased: true }),
  },
  {
    fault: "releasing twice fails",
    noticedBy: ["run-store/released"],
    factory: writing((writer) => {
      let released = false;
      return {
        release: async () => {
          if (released) throw new Error("released already");
          released = true;
          await writer.release();
        },
      };
    }),
  },
  {
    fault: "a writer that gave its lease back still writes",
    noticedBy: ["run-store/released-writes-nothing"],
    factory: faulty({ writesWhenReleased: true }),
  },
  {
    fault: "every writer has the same epoch",
    noticedBy: ["run-store/released", "run-store/taken-over", "run-store/one-takes-over"],
    factory: faulty({ raisesEpoch: false }),
  },
  {
    fault: "the epoch is not checked when a checkpoint is saved",
    noticedBy: ["run-store/taken-over", "run-store/stale-leaves-nothing", "run-store/leased-elsewhere"],
    factory: faulty({ checksEpoch: (write) => write !== "save" }),
  },
  {
    fault: "the epoch is not checked when events are appended",
    noticedBy: ["run-store/taken-over", "run-store/stale-leaves-nothing", "run-store/one-takes-over"],
    factory: faulty({ checksEpoch: (write) => write !== "append" }),
  },
  {
    fault: "the epoch is not checked when the record is changed",
    noticedBy: ["run-store/taken-over", "run-store/stale-leaves-nothing"],
    factory: faulty({ checksEpoch: (write) => write !== "update" }),
  },
  {
    fault: "the epoch is not checked when an attempt is finished",
    noticedBy: ["run-store/taken-over", "run-store/stale-leaves-nothing"],
    factory: faulty({ checksEpoch: (write) => write !== "finish" }),
  },
  {
    fault: "whoever releases gives back the lease of all",
    noticedBy: ["run-store/stale-release"],
    factory: faulty({ releasesAny: true }),
  },
  {
    fault: "writers are not told that they were taken over",
    noticedBy: ["run-store/stale-signal"],
    factory: faulty({ signals: false }),
  },
  {
    fault: "closing leaves leases behind",
    noticedBy: ["run-store/closed"],
    factory: but(() => ({ close: async () => {} })),
  },
  {
    fault: "deleting removes all ids that begin alike",
    noticedBy: ["run-store/delete"],
    factory: but((_store, disk) => ({
      delete: async (runId) => {
        for (const key of [...disk.keys()]) if (key.startsWith(runId)) disk.delete(key);
      },
    })),
  },
  {
    fault: "resumable runs are garbage",
    noticedBy: ["run-store/garbage"],
    factory: but((store) => ({
      collectGarbage: ({ before }) => store.collectGarbage({ before, includeResumable: true }),
    })),
  },
  {
    fault: "runs at work are garbage",
    noticedBy: ["run-store/garbage-leased"],
    factory: faulty({ collectsLeased: true }),
  },
];
