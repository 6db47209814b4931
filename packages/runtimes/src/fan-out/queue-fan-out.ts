import { createHash } from "node:crypto";
import type { TaskAttempt, TaskRecord, WorkQueue } from "@switchyard/contracts";
import { canonicalJson } from "../json/canonical-json.ts";
import { isRecord } from "../json/is-record.ts";
import type { FanOutPlan } from "./fan-out-plan.ts";
import type { FanOutProgress, FanOutRecord, FanOutRun } from "./fan-out-run.ts";
import { finishedRun, runInProgress } from "./reconcile-fan-out.ts";
import { progressOf } from "./run-fan-out.ts";
import { type RecordOptions, recordOptionsOf, toFailedRecord, toRecord } from "./to-record.ts";

/** How the tasks of a plan are handed to workers elsewhere. */
export interface QueueFanOutOptions extends RecordOptions {
  /** The queue that workers take tasks from. */
  readonly queue: WorkQueue;
  /** Called when a task starts on a worker, and again when it has ended and its record is stored. */
  readonly onProgress?: ((progress: FanOutProgress) => void) | undefined;
  /** Told of each attempt that begins, the second or a later one after a worker was lost. */
  readonly onAttempt?: ((attempt: TaskAttempt) => void) | undefined;
  /** Ends the waiting; the workers go on, and the next call finds what they did. */
  readonly signal?: AbortSignal | undefined;
}

/** Tasks that are on their way to the queue at once. */
const ON_THE_WAY = 64;

/** The group of a plan's tasks in a queue: the same plan has the same group, and another one has another. */
function groupOfPlan(plan: FanOutPlan): string {
  const named = [plan.orchestrator["run_id"], plan.orchestrator["plan_id"]].find((one) => typeof one === "string");
  const digest = createHash("sha256").update(canonicalJson(plan.task_requests)).digest("hex").slice(0, 16);
  return `${named ?? "fanout"}-${digest}`;
}

/** What is known while tasks are in the queue. */
interface Collecting {
  readonly group: string;
  readonly signal: AbortSignal;
  readonly records: Map<string, FanOutRecord>;
}

/** Adds all tasks, many at a time; those that are known stay as they are. */
async function addTasks(plan: FanOutPlan, queue: WorkQueue, { group, signal }: Collecting): Promise<void> {
  const open = plan.task_requests.values();
  const add = async (): Promise<void> => {
    for (const task of open) await queue.add({ group, id: task.id, body: task }, { signal });
  };
  await Promise.all(Array.from({ length: ON_THE_WAY }, add));
}

/** Collects records until each planned task has one, or the signal fires. */
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
    return { ...toFailedRecord(task, `no attempt of ${attempt} came to an end: ${problem ?? "unknown"}`), attempt };
  }
  const body = isRecord(update.body) ? update.body : {};
  return { ...toRecord(task, body, options), attempt, worker };
}

/**
 * Executes the tasks of a plan by whoever takes them from a queue, and gives the run with one record of each. The queue
 * keeps tasks and records: asked again with the same plan, what is done stays done, and nothing is added twice. When the
 * signal fires, the run that is given is `incomplete`. Rejects with what the queue rejects with. architecture: work queue.
 */
export async function queueFanOut(plan: FanOutPlan, settings: QueueFanOutOptions): Promise<FanOutRun> {
  const options = { ...settings, ...recordOptionsOf(plan, settings) };
  const { queue } = options;
  const group = groupOfPlan(plan);
  const over = new AbortController();
  const signal = options.signal === undefined ? over.signal : AbortSignal.any([options.signal, over.signal]);
  const records = new Map<string, FanOutRecord>();
  const collecting = { group, signal, records };
  // Workers are at it while tasks are still being added; whichever fails ends the other.
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
