import { resolve } from "node:path";
import {
  type FanOutPlan,
  type FanOutProgress,
  type FanOutRun,
  openFanOutFile,
  parseFanOutPlan,
  queueFanOut,
  runFanOut,
} from "@switchyard/runtimes";
import { assertWritable, neutraliseControls, toPlainJson, writeJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { readJson } from "../input/read-json.ts";
import { openQueue } from "./open-queue.ts";
import { openTaskExecutor } from "./task-executor.ts";

/** Options of the command `fanout run`. */
export interface RunFanoutChoice {
  /** Path of the plan file, or `-` for standard input. */
  plan: string;
  /**
   * Path of the file that stores the task records. If the command is repeated, it continues with the remaining tasks.
   */
  out?: string;
  /** Maximum number of concurrent tasks. */
  concurrency?: string;
  /** URL of the queue whose workers execute the tasks. Default: this process executes them. */
  queue?: string;
  /** Whether to include runtime packages of the current project. */
  trustWorkspace?: boolean;
  /** Whether commands of runtime packages may use `git push`. */
  allowGitPush?: boolean;
}

interface Running {
  readonly plan: FanOutPlan;
  readonly choice: RunFanoutChoice;
  readonly file: string | undefined;
  readonly signal: AbortSignal;
}

const INTERRUPTED = 130;

/**
 * Executes the tasks of a plan and prints their records. Resolves with 0 if all tasks succeeded, 1 if some did not, and
 * 130 if the run was stopped. Rejects with `input.*`, `output.unwritable`, `config.invalid`, `runtime.*` and
 * `broker.*`.
 */
export async function runFanout(context: CommandContext, choice: RunFanoutChoice): Promise<number> {
  const plan = parseFanOutPlan(await readJson(context, choice.plan), choice.plan);
  const file = choice.out === undefined ? undefined : resolve(context.workingDirectory, choice.out);
  if (file !== undefined) await assertWritable(file);
  const stop = new AbortController();
  const ignore = context.onStopRequest(() => stop.abort());
  try {
    const running: Running = { plan, choice, file, signal: stop.signal };
    const run = choice.queue === undefined ? await runHere(context, running) : await runElsewhere(context, running);
    if (file !== undefined) context.progress.keptAt = `The results are stored in ${file}.`;
    context.stdout.write(`${toPlainJson(run)}\n`);
    if (run.status === "incomplete") return INTERRUPTED;
    return run.status === "completed" ? 0 : 1;
  } finally {
    ignore();
  }
}

function printProgress(context: CommandContext, progress: FanOutProgress, more = ""): void {
  const { id, status, outcome_kind, group_index, group_count } = progress;
  const kind = outcome_kind === "" ? "" : ` (${outcome_kind})`;
  const line = `${status}: ${id}${kind}, group ${group_index} of ${group_count}${more}`;
  context.stderr.write(`${neutraliseControls(line)}\n`);
}

async function runHere(context: CommandContext, { plan, choice, file, signal }: Running): Promise<FanOutRun> {
  const opened = file === undefined ? undefined : await openFanOutFile(file, { write: writeJson });
  const execute = await openTaskExecutor(context, choice);
  context.progress.hasStarted = true;
  return await runFanOut(plan, {
    ...{ execute, signal, records: opened?.records, save: opened?.save, keep: opened?.storeRecord },
    concurrency: choice.concurrency === undefined ? undefined : Number(choice.concurrency),
    onProgress: (progress) => printProgress(context, progress),
  });
}

async function runElsewhere(context: CommandContext, { plan, choice, file, signal }: Running): Promise<FanOutRun> {
  await using queue = await openQueue(context, { url: choice.queue ?? "" });
  const tasks = plan.task_requests.length;
  let done = 0;
  context.progress.hasStarted = true;
  const run = await queueFanOut(plan, {
    ...{ queue, signal },
    onProgress: (progress) => {
      // The start of an attempt is printed by `onAttempt`, because only that callback is given the worker's name.
      if (progress.status === "started") return;
      done += 1;
      printProgress(context, progress, `, ${done} of ${tasks} tasks`);
    },
    onAttempt: ({ id, attempt, worker }) => {
      const what = attempt > 1 ? `attempt ${attempt}` : "started";
      context.stderr.write(`${neutraliseControls(`${what}: ${id} by ${worker}`)}\n`);
    },
  });
  // The file is written only at the end, because the queue stores the records during the run.
  if (file !== undefined) await writeJson(file, run);
  return run;
}
