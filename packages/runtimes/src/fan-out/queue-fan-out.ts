import { createHash } from "node:crypto";
import type { TaskAttempt, TaskRecord, WorkQueue } from "@switchyard/contracts";
import { canonicalJson } from "../json/canonical-json.ts";
import { isRecord } from "../json/is-record.ts";
import type { FanOutPlan } from "./fan-out-plan.ts";
import type { FanOutProgress, FanOutRecord, FanOutRun } from "./fan-out-run.ts";
import { finishedRun, runInProgress } from "./reconcile-fan-out.ts";
import { progressOf } from "./run-fan-out.ts";
import { type RecordOptions, recordOptionsOf, toFailedRecord, toRecord } from "./to-record.ts";

/** Options for `queueFanOut`. */
export interface QueueFanOutOptions extends RecordOptions {
  /** Work queue from which workers take the tasks. */
  readonly queue: WorkQueue;
  /** Called when a task starts on a worker, and again when it has ended and its record is stored. */
  readonly onProgress?: ((progress: FanOutProgress) => void) | undefined;
  /** Called when a task is attempted again because the worker of an earlier attempt was lost. */
  readonly onAttempt?: ((attempt: TaskAttempt) => void) | undefined;
  /**
   * Signal that stops waiting when it aborts. Workers continue, and the next call with the same plan finds their
   * records.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Number of tasks that are added to the queue concurrently. */
const MAX_PENDING_ADDS = 64;

/** Returns the name under which the queue groups the tasks of a plan. Equal plans have the same name. */
function groupOfPlan(plan: FanOutPlan): string {
  const named = [plan.orchestrator["run_id"], plan.orchestrator["plan_id"]].find((one) => typeof one === "string");
  const digest = createHash("sha256").update(canonicalJson(plan.task_requests)).digest("hex").slice(0, 16);
  return `${named ?? "fanout"}-${digest}`;
}

/** Data that adding tasks to the queue and collecting their records share. */
interface Collecting {
  readonly group: string;
  readonly signal: AbortSignal;
  readonly records: Map<string, FanOutRecord>;
}

/** Adds all tasks of a plan to the queue concurrently. Tasks that were added before are unchanged. */
async function addTasks(plan: FanOutPlan, queue: WorkQueue, { group, signal }: Collecting): Promise<void> {
  const open = plan.task_requests.values();
  const add = async (): Promise<void> => {
    for (const task of open) await queue.add({ group, id: task.id, body: task }, { signal });
  };
  await Promise.all(Array.from({ length: MAX_PENDING_ADDS }, add));
}

/** Collects task records until each planned task has a record or the signal aborts. */
async function collect(
  plan: FanOutPlan,
  options: QueueFanOutOptions,
  { group, signal, records }: Collecting,
): Promise<void> {
  const planned = new Map(plan.task_requests.map((task) => [task.id, task]));
  if (records.size === planned.size) return;
  const started = new Set<string>();
  for await (const update of options.queue.watch(group, signal)) {
    const task = planned.get(update.id);
    if (update.kind === "begun") {
      options.onAttempt?.(update);
      if (task !== undefined && !started.has(update.id)) options.onProgress?.(progressOf(plan, task));
      started.add(update.id);
    } else if (task !== undefined && !records.has(update.id)) {
      const record = recordOf(update, task, options);
      records.set(update.id, record);
      options.onProgress?.(progressOf(plan, task, record));
    }
    if (records.size === planned.size) return;
  }
}

function recordOf(update: TaskRecord, task: FanOutPlan["task_requests"][number], options: RecordOptions): FanOutRecord {
  const { kind, attempt, worker, problem } = update;
  if (kind === "dead") {
    return { ...toFailedRecord(task, `none of ${attempt} attempts completed: ${problem ?? "unknown"}`), attempt };
  }
  const body = isRecord(update.body) ? update.body : {};
  return { ...toRecord(task, body, options), attempt, worker };
}

/**
 * Executes the tasks of a plan with the workers of a queue, and resolves with the fan-out run. The queue stores tasks
 * and records. A repeated call with the same plan neither adds tasks twice nor executes finished tasks again. If the
 * signal aborts, the status of the run is `incomplete`. Rejects with errors of the queue.
 */
export async function queueFanOut(plan: FanOutPlan, settings: QueueFanOutOptions): Promise<FanOutRun> {
  const options = { ...settings, ...recordOptionsOf(plan, settings) };
  const { queue } = options;
  const group = groupOfPlan(plan);
  const over = new AbortController();
  const signal = options.signal === undefined ? over.signal : AbortSignal.any([options.signal, over.signal]);
  const records = new Map<string, FanOutRecord>();
  const collecting = { group, signal, records };
  // Records are collected while tasks are still being added. If adding or collecting fails, both stop.
  const both = [addTasks(plan, queue, collecting), collect(plan, options, collecting)];
  try {
    await Promise.all(both);
  } catch (error) {
    over.abort();
    await Promise.allSettled(both);
    if (options.signal?.aborted !== true) throw error;
  }
  if (records.size < plan.task_requests.length) return runInProgress(plan, [...records.values()], []);
  return finishedRun(plan, records.values());
}
