import type { TaskRecord } from "@switchyard/contracts";
import { plural, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { openQueue } from "./open-queue.ts";

/** Which dead tasks, and what becomes of them. */
export interface DeadTasksChoice {
  /** Queue that they are in. */
  queue: string;
  /** Whether they are done after all. */
  requeue?: boolean;
}

/**
 * Prints the tasks of a queue of which no attempt came to an end, and queues them again when that is asked for. Resolves
 * with exit code 0; rejects with `config.invalid` and `broker.*`.
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
