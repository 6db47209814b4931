import { messageOf } from "@switchyard/contracts";
import { parseTaskRequest } from "../task/parse-task-request.ts";
import type { FanOutPlan } from "./fan-out-plan.ts";

/**
 * Returns a sentence that describes missing or incomplete task requests of a plan; `undefined` if all are complete.
 * Incomplete requests are not an error, because another program may complete them before they run.
 */
export function incompleteTasks({ task_requests: tasks }: FanOutPlan): string | undefined {
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
