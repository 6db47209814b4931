import { messageOf } from "@switchyard/contracts";
import {
  type FanOutPlan,
  parseFanOutConfig,
  parseTaskRequest,
  planFanOut,
  planFindingPackets,
} from "@switchyard/runtimes";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { readJson } from "../input/read-json.ts";

/** Options of the command `fanout plan`. */
export interface PlanChoice {
  /** Path of the configuration file, or `-` for standard input. */
  config: string;
  /** Whether the configuration file contains packets of findings. */
  findings?: boolean;
}

/**
 * Prints the plan of a fan-out. Prints a warning to standard error if the plan is incomplete. Resolves with exit code
 * 0. Rejects with `input.*`.
 */
export async function planFanout(context: CommandContext, { config, findings }: PlanChoice): Promise<number> {
  const data = await readJson(context, config);
  const plan = findings === true ? planFindingPackets(data, config) : planFanOut(parseFanOutConfig(data, config));
  context.stdout.write(`${toPlainJson(plan)}\n`);
  const problem = problemOf(plan);
  if (problem !== undefined) context.stderr.write(`warning: ${neutraliseControls(problem)}\n`);
  return 0;
}

/**
 * Returns a warning about incomplete task requests; `undefined` if all are complete. Not an error, because another
 * program may complete the requests before they run.
 */
function problemOf({ task_requests: tasks }: FanOutPlan): string | undefined {
  if (tasks.length === 0) return "the plan has no tasks; name `items` or `groups` in the configuration";
  const problems = tasks.flatMap((task) => {
    try {
      parseTaskRequest(task);
      return [];
    } catch (error) {
      return [messageOf(error)];
    }
  });
  const [first] = problems;
  if (first === undefined) return undefined;
  return `${problems.length} of ${tasks.length} tasks are incomplete; set task_request_template. ${first}`;
}
