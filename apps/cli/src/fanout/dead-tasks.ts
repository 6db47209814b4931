import type { TaskRecord } from "@switchyard/contracts";
import { plural, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { openQueue } from "./open-queue.ts";

/** Options of the command `fanout dead`. A task is dead if it has used up its attempts without being finished. */
export interface DeadTasksChoice {
  /** URL of the queue that contains the dead tasks. */
  queue: string;
  /** Whether to queue the dead tasks again. Default: false. */
  requeue?: boolean;
}

/**
 * Prints the dead tasks of a queue, which have used up their attempts without being finished. Queues them again if
 * requested. Resolves with exit code 0. Rejects with `config.invalid` and `broker.*`.
 */
export async function deadTasks(context: CommandContext, { queue: url, requeue }: DeadTasksChoice): Promise<number> {
  await using queue = await openQueue(context, { url });
  const dead: TaskRecord[] = [];
  for await (const record of queue.dead()) dead.push(record);
  const shown = dead.map(({ group, id, attempt, worker, problem }) => ({
    group,
    id,
    attempts: attempt,
    worker,
    problem,
  }));
  context.stdout.write(`${toPlainJson(shown)}\n`);
  if (requeue !== true) return 0;
  let count = 0;
  for (const record of dead) count += (await queue.requeue(record)) ? 1 : 0;
  context.stderr.write(`${plural(count, "task")} requeued\n`);
  return 0;
}
