import { resolve } from "node:path";
import {
  type FanOutPlan,
  type FanOutProgress,
  type FanOutRun,
  parseFanOutPlan,
  queueFanOut,
  runFanOut,
} from "@switchyard/runtimes";
import { readJson } from "../input/read-json.ts";
import { assertWritable, writeJson } from "../run/write-result.ts";
import { neutraliseControls, toPlainJson } from "../text/neutralise-controls.ts";
import type { World } from "../context/command-context.ts";
import { openQueue } from "./open-queue.ts";
import { openRunFile } from "./run-file.ts";
import { openTaskExecutor } from "./task-executor.ts";

/** What `fanout run` may be told. */
export interface RunFanoutChoice {
  /** File with the plan, or `-`. */
  plan: string;
  /** File that keeps the run. */
  out?: string;
  /** Tasks at once. */
  concurrency?: string;
  /** Queue whose workers execute them. */
  queue?: string;
  /** Whether packages of the current project are used. */
  trustWorkspace?: boolean;
  /** Whether their commands may push with git. */
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
 * Executes a plan and prints the run. Resolves with 0 when all tasks succeeded, 1 when some did not, 130 when it was
 * stopped; rejects with `input.*`, `output.unwritable`, `config.invalid`, `runtime.*` and `broker.*`.
 */
export async function runFanout(world: World, choice: RunFanoutChoice): Promise<number> {
  const plan = parseFanOutPlan(await readJson(world, choice.plan), choice.plan);
  const file = choice.out === undefined ? undefined : resolve(world.workingDirectory, choice.out);
  if (file !== undefined) await assertWritable(file);
  const stop = new AbortController();
  const ignore = world.onStopRequest(() => stop.abort());
  try {
    const running: Running = { plan, choice, file, signal: stop.signal };
    const run = choice.queue === undefined ? await runHere(world, running) : await runElsewhere(world, running);
    if (file !== undefined) world.progress.keptAt = `The results are stored in ${file}.`;
    world.stdout.write(`${toPlainJson(run)}\n`);
    if (run.status === "incomplete") return INTERRUPTED;
    return run.status === "completed" ? 0 : 1;
  } finally {
    ignore();
  }
}

function tell(world: World, progress: FanOutProgress, more = ""): void {
  const { id, status, outcome_kind, group_index, group_count } = progress;
  const kind = outcome_kind === "" ? "" : ` (${outcome_kind})`;
  const line = `${status}: ${id}${kind}, group ${group_index} of ${group_count}${more}`;
  world.stderr.write(`${neutraliseControls(line)}\n`);
}

async function runHere(world: World, { plan, choice, file, signal }: Running): Promise<FanOutRun> {
  const kept = file === undefined ? undefined : await openRunFile(world, file);
  const execute = await openTaskExecutor(world, choice);
  world.progress.hasStarted = true;
  return await runFanOut(plan, {
    ...{ execute, signal, records: kept?.records, save: kept?.save, keep: kept?.keep },
    concurrency: choice.concurrency === undefined ? undefined : Number(choice.concurrency),
    onProgress: (progress) => tell(world, progress),
  });
}

async function runElsewhere(world: World, { plan, choice, file, signal }: Running): Promise<FanOutRun> {
  await using queue = await openQueue(world, { url: choice.queue ?? "" });
  const tasks = plan.task_requests.length;
  let done = 0;
  world.progress.hasStarted = true;
  const run = await queueFanOut(plan, {
    ...{ queue, signal },
    onProgress: (progress) => {
      // Attempts are reported below, with the worker that makes them.
      if (progress.status === "started") return;
      done += 1;
      tell(world, progress, `, ${done} of ${tasks} tasks`);
    },
    onAttempt: ({ id, attempt, worker }) => {
      const what = attempt > 1 ? `attempt ${attempt}` : "begun";
      world.stderr.write(`${neutraliseControls(`${what}: ${id} by ${worker}`)}\n`);
    },
  });
  // The queue keeps the records until then.
  if (file !== undefined) await writeJson(file, run);
  return run;
}
