import { messageOf } from "@switchyard/contracts";
import { FANOUT_CONCURRENCY } from "../contract/orchestration.ts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { isRecord } from "../json/is-record.ts";
import type { FanOutPlan, FanOutTask } from "./fan-out-plan.ts";
import type { FanOutProgress, FanOutRecord, FanOutRun } from "./fan-out-run.ts";
import { firstScalar } from "./first-scalar.ts";
import { finishedRun, runInProgress } from "./reconcile-fan-out.ts";
import { type RecordOptions, recordOptionsOf, toFailedRecord, toRecord } from "./to-record.ts";

/** Options for `runFanOut`. */
export interface RunFanOutOptions extends RecordOptions {
  /**
   * Function that executes one task and resolves with an object that contains its `outcome`, or with `undefined`. If it
   * rejects, the task's record has the status `failed`. If it rejects after the signal has aborted, the task gets no
   * record, and the next run executes the task again.
   */
  readonly execute: (task: FanOutTask, signal: AbortSignal) => Promise<unknown>;
  /** Records of an earlier run of the plan. Tasks with a record are not executed again. */
  readonly records?: readonly FanOutRecord[] | undefined;
  /**
   * Function that stores the state of the run. A task counts as ended only after this function or `storeRecord` has
   * resolved.
   */
  readonly save?: ((run: FanOutRun) => Promise<void>) | undefined;
  /**
   * Function that stores the record of one task. If it is given, `save` is called only when the run has grown by a
   * tenth, and at the end. The time to store a record then does not grow with the size of the plan.
   */
  readonly keep?: ((record: FanOutRecord) => Promise<void>) | undefined;
  /** Called when a task starts, and again when it has ended and its record is stored. */
  readonly onProgress?: ((progress: FanOutProgress) => void) | undefined;
  /** Number of concurrent tasks, at most 16. Default: the number in the plan, otherwise 3. */
  readonly concurrency?: number | undefined;
  /** Signal that ends the fan-out when it aborts. Records of finished tasks remain stored. */
  readonly signal?: AbortSignal | undefined;
}

/** Returns the number of concurrent tasks; 3 for an invalid number. */
function concurrencyOf(requested: number | undefined): number {
  const { default: usual, maximum } = FANOUT_CONCURRENCY;
  if (requested === undefined || !Number.isFinite(requested) || requested < 1) return usual;
  return Math.min(Math.floor(requested), maximum);
}

/** Returns the progress event of a task that has started, or has ended with a record. */
export function progressOf(
  { groups }: FanOutPlan,
  { id, group_key, orchestrator }: FanOutTask,
  record?: FanOutRecord,
): FanOutProgress {
  const outcome = isRecord(record?.outcome) ? record.outcome : {};
  return {
    schema: SCHEMA_IDS.fanout_progress,
    ...{ status: record?.status ?? "started", id, group_key },
    group_index: Number(orchestrator["group_index"] ?? 0) + 1,
    group_count: groups.length,
    outcome_kind: firstScalar(outcome["kind"], outcome["status"]) ?? "",
  };
}

/**
 * If task records are also stored individually, the whole run is saved again once its number of records has grown by
 * this factor.
 */
const GROWTH = 1.1;

/** State of a running fan-out, and its storage. */
class Journal {
  readonly #plan: FanOutPlan;
  readonly #options: RunFanOutOptions;
  readonly #records = new Map<string, FanOutRecord>();
  readonly #current: FanOutTask[] = [];
  #saved = 0;
  #saving: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;

  constructor(plan: FanOutPlan, options: RunFanOutOptions) {
    this.#plan = plan;
    this.#options = options;
    const planned = new Set(plan.task_requests.map(({ id }) => id));
    for (const record of options.records ?? []) {
      if (planned.has(record.id) && record.status !== "missing_record") this.#records.set(record.id, record);
    }
  }

  get records(): FanOutRecord[] {
    return [...this.#records.values()];
  }

  get open(): FanOutTask[] {
    return this.#plan.task_requests.filter(({ id }) => !this.#records.has(id));
  }

  begin(task: FanOutTask): void {
    this.#current.push(task);
    this.#options.onProgress?.(progressOf(this.#plan, task));
  }

  /** Adds the record of a task that has ended. `record` is `undefined` if the task was cancelled. */
  async end(task: FanOutTask, record: FanOutRecord | undefined): Promise<void> {
    this.#current.splice(this.#current.indexOf(task), 1);
    if (record === undefined) return;
    this.#records.set(task.id, record);
    await this.#options.keep?.(record);
    if (this.#options.keep === undefined || this.#records.size >= this.#saved * GROWTH) await this.save();
    this.#options.onProgress?.(progressOf(this.#plan, task, record));
  }

  /** Saves the run. Changes that occur during a save are combined into the next save. */
  save(): Promise<void> {
    this.#waiting ??= this.#saving.then(() => {
      this.#waiting = undefined;
      this.#saving = this.#store();
      return this.#saving;
    });
    return this.#waiting;
  }

  async #store(): Promise<void> {
    this.#saved = this.#records.size;
    await this.#options.save?.(this.run());
  }

  run(): FanOutRun {
    const running = this.#current.map(({ id, group_key }) => ({ id, group_key }));
    return runInProgress(this.#plan, this.records, running);
  }
}

async function recordOf(
  task: FanOutTask,
  options: RunFanOutOptions,
  signal: AbortSignal,
): Promise<FanOutRecord | undefined> {
  try {
    const returned = await options.execute(task, signal);
    // A cancelled task gets no record, so that the next run executes it again.
    return signal.aborted ? undefined : toRecord(task, returned, options);
  } catch (error) {
    return signal.aborted ? undefined : toFailedRecord(task, messageOf(error));
  }
}

/**
 * Executes the tasks of a plan concurrently and resolves with the run, which has one record per task in plan order.
 * Each record is stored before its task counts as ended, so a killed run can continue with the remaining tasks. If the
 * signal aborts, the status of the run is `incomplete`. Rejects if `save` rejects. See agent-runtime-package: host
 * orchestration contract.
 */
export async function runFanOut(plan: FanOutPlan, settings: RunFanOutOptions): Promise<FanOutRun> {
  const options = { ...settings, ...recordOptionsOf(plan, settings) };
  const failing = new AbortController();
  const signal = options.signal === undefined ? failing.signal : AbortSignal.any([options.signal, failing.signal]);
  const journal = new Journal(plan, options);
  const open = journal.open;

  async function work(): Promise<void> {
    for (let task = open.shift(); task !== undefined && !signal.aborted; task = open.shift()) {
      journal.begin(task);
      await journal.end(task, await recordOf(task, options, signal));
    }
  }
  await journal.save();
  const workers = Array.from({ length: concurrencyOf(options.concurrency ?? plan.execution?.concurrency) }, work);
  // A failed save ends the whole fan-out.
  await Promise.all(workers.map((worker) => worker.catch((error: unknown) => end(failing, error))));
  if (failing.signal.aborted) throw failing.signal.reason;
  if (signal.aborted) {
    await journal.save();
    return journal.run();
  }
  const run = finishedRun(plan, journal.records);
  await options.save?.(run);
  return run;
}

function end(failing: AbortController, error: unknown): void {
  if (!failing.signal.aborted) failing.abort(error);
}
