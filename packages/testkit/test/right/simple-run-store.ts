import type {
  Checkpoint,
  Envelope,
  ListedRun,
  RunRecord,
  RunRequest,
  RunStore,
  RunWriter,
  SessionReport,
} from "@switchyard/contracts";
import { EngineError, RESUMABLE_RUN_STATUSES } from "@switchyard/contracts";
import type { RunStoreSubject } from "../../src/index.ts";

/** Flags from which the faults of wrong stores are built. */
export interface RunStoreFaults {
  readonly checksEpoch?: (write: string) => boolean;
  readonly takesLeased?: boolean;
  readonly takesGaps?: boolean;
  readonly takesConflicts?: boolean;
  readonly takesForeign?: boolean;
  readonly keepsReferences?: boolean;
  readonly losesDamage?: boolean;
  readonly raisesEpoch?: boolean;
  readonly releasesAny?: boolean;
  readonly writesWhenReleased?: boolean;
  readonly signals?: boolean;
  readonly collectsLeased?: boolean;
  readonly pauses?: boolean;
}

interface StoredRun {
  record: RunRecord;
  readonly request: RunRequest;
  report?: SessionReport;
  readonly events: Envelope[];
  checkpoint?: Checkpoint | "damaged";
  epoch: number;
  isHeld: boolean;
  writer?: AbortController;
}

/** Data of simple stores with their runs. It survives the stores, as a disk does. */
export type RunDisk = Map<string, StoredRun>;

function checkId(runId: string): void {
  if (!/^[\w-]{1,128}$/.test(runId)) throw new EngineError("run.invalid_id", { runId: "", problem: "odd" });
}

function find(disk: RunDisk, runId: string): StoredRun {
  checkId(runId);
  const stored = disk.get(runId);
  if (stored === undefined) throw new EngineError("run.not_found", { runId, stateDirectory: "memory" });
  return stored;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function loaded(stored: StoredRun, faults: RunStoreFaults): Checkpoint | undefined {
  const { checkpoint } = stored;
  if (checkpoint !== "damaged") return structuredClone(checkpoint);
  if (faults.losesDamage === true) return undefined;
  throw new EngineError("checkpoint.corrupt", { path: "memory", problem: "it is damaged" });
}

function createWriter(stored: StoredRun, runId: string, faults: RunStoreFaults): RunWriter {
  const { epoch } = stored;
  const controller = new AbortController();
  stored.writer = controller;
  const copy = <T>(value: T): T => (faults.keepsReferences === true ? value : structuredClone(value));
  const check = (write: string): void => {
    if (stored.epoch === epoch && !stored.isHeld && faults.writesWhenReleased !== true) {
      throw new EngineError("store.stale_epoch", { runId, epoch });
    }
    if (stored.epoch === epoch || faults.checksEpoch?.(write) === false) return;
    if (faults.signals !== false) controller.abort();
    throw new EngineError("store.stale_epoch", { runId, epoch: stored.epoch });
  };
  const update = (changes: Partial<RunRecord>): void => {
    stored.record = copy({ ...stored.record, ...changes, run_id: runId });
  };
  const release = async (): Promise<void> => {
    if (stored.epoch === epoch || faults.releasesAny === true) stored.isHeld = false;
  };
  return {
    runId,
    epoch,
    folder: `/runs/${runId}`,
    get record() {
      return copy(stored.record);
    },
    request: copy(stored.request),
    get lastSeq() {
      return stored.events.length;
    },
    signal: controller.signal,
    append: async (events) => {
      check("append");
      const last = stored.events.length;
      const hasGap = events.some(({ seq }, index) => seq !== last + index + 1);
      if (hasGap && faults.takesGaps !== true)
        throw new EngineError("run.malformed_record", { path: "", problem: "gap" });
      for (const { text } of events) stored.events.push(JSON.parse(text));
    },
    async *events(afterSeq = 0) {
      yield* stored.events.filter(({ seq = 0 }) => seq > afterSeq);
    },
    save: async (checkpoint) => {
      check("save");
      if (checkpoint.execId !== runId && faults.takesForeign !== true) {
        throw new EngineError("checkpoint.foreign", { execId: checkpoint.execId, runId });
      }
      stored.checkpoint = structuredClone(checkpoint);
    },
    load: async () => loaded(stored, faults),
    update: async (changes) => {
      check("update");
      update(changes);
    },
    finish: async (report, changes) => {
      check("finish");
      stored.report = copy(report);
      update(changes);
      await release();
    },
    release,
  };
}

function acquire(stored: StoredRun, runId: string, faults: RunStoreFaults): RunWriter {
  if (faults.raisesEpoch !== false) stored.epoch += 1;
  stored.isHeld = true;
  return createWriter(stored, runId, faults);
}

/** A correct run store, as short as possible. The given faults make it wrong. */
export function simpleRunStore(disk: RunDisk = new Map(), faults: RunStoreFaults = {}): RunStore {
  const holders = new Set<RunWriter>();
  const hold = (writer: RunWriter): RunWriter => {
    holders.add(writer);
    return writer;
  };
  const copy = <T>(value: T): T => (faults.keepsReferences === true ? value : structuredClone(value));
  const leaseOf = ({ epoch, isHeld }: StoredRun): { epoch: number; isHeld: boolean } => ({ epoch, isHeld });
  const leased = (runId: string): EngineError => new EngineError("run.leased", { runId, owner: "somebody" });
  return {
    durability: "process",
    async create(record, request) {
      const runId = record.run_id;
      checkId(runId);
      const exists = disk.has(runId);
      if (faults.pauses === true) await turn();
      if (exists && faults.takesConflicts !== true) throw new EngineError("run.conflict", { runId });
      const stored: StoredRun = { record: copy(record), request: copy(request), events: [], epoch: 1, isHeld: true };
      disk.set(runId, stored);
      return hold(createWriter(stored, runId, faults));
    },
    async acquire(runId, { takeOver = false } = {}) {
      const stored = find(disk, runId);
      const isFree = !stored.isHeld || takeOver || faults.takesLeased === true;
      if (faults.pauses === true) await turn();
      if (!isFree) throw leased(runId);
      return hold(acquire(stored, runId, faults));
    },
    async list() {
      const runs = [...disk].map(([runId, stored]): Extract<ListedRun, { record: RunRecord }> => {
        return { runId, location: `/runs/${runId}`, record: copy(stored.record), lease: leaseOf(stored) };
      });
      return runs.sort((left, right) => right.record.created_at.localeCompare(left.record.created_at));
    },
    async show(runId) {
      const stored = find(disk, runId);
      const { record, request, report } = stored;
      return copy({ runId, folder: `/runs/${runId}`, record, request, report, lease: leaseOf(stored), problems: [] });
    },
    async *events(runId, afterSeq = 0) {
      yield* find(disk, runId).events.filter(({ seq = 0 }) => seq > afterSeq);
    },
    load: async (runId) => loaded(find(disk, runId), faults),
    async delete(runId) {
      if (find(disk, runId).isHeld && faults.takesLeased !== true) throw leased(runId);
      disk.delete(runId);
    },
    async collectGarbage({ before, includeResumable = false }) {
      const old = [...disk].filter(([, { record, isHeld }]) => {
        if (isHeld && faults.collectsLeased !== true) return false;
        const isWanted = RESUMABLE_RUN_STATUSES.includes(record.status) && !includeResumable;
        return !isWanted && Date.parse(record.finished_at ?? record.created_at) < before;
      });
      for (const [runId] of old) disk.delete(runId);
      return old.map(([runId]) => runId);
    },
    async close() {
      for (const writer of holders) await writer.release();
    },
  };
}

/** The same store with all operations that a case may use. */
export function simpleRunStoreSubject(
  change: (right: RunStore, disk: RunDisk) => RunStore = (store) => store,
  faults: RunStoreFaults = {},
): RunStoreSubject {
  const disk: RunDisk = new Map();
  const open = (): RunStore => change(simpleRunStore(disk, faults), disk);
  return {
    store: open(),
    reopen: open,
    damageCheckpoint: (runId) => {
      const stored = disk.get(runId);
      if (stored !== undefined) stored.checkpoint = "damaged";
    },
  };
}
