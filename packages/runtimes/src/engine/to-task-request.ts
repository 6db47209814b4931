import type { SessionInput } from "@switchyard/contracts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import type { SelectedProvider } from "../selection/runtime-registry.ts";
import type { TaskRequest } from "../task/task-request.ts";

/** Options for `toTaskRequest`. */
export interface TaskRequestOptions {
  /** Id of the task. */
  readonly taskId: string;
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /** Provider that executes the task. */
  readonly selected: SelectedProvider;
  /** Settings of the provider. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Converts a session to a task request. The last user message becomes the instructions. The whole conversation is
 * included as input.
 */
export function toTaskRequest(
  input: SessionInput,
  { taskId, workspace, selected, config }: TaskRequestOptions,
): TaskRequest {
  const instructions = input.messages.findLast(({ role }) => role === "user")?.content ?? "";
  const { timeout_seconds: seconds = 0, max_turns: turns, model, case_id: caseId, variant, kwargs } = input;
  const marks = { case_id: caseId, variant, max_turns: turns, kwargs };
  return {
    schema: SCHEMA_IDS.task_request,
    task_id: taskId,
    executor: {
      backend: selected.provider.backend,
      runtime: selected.runtime.id,
      selector: selected.provider.id,
      config: { ...config },
      ...(model === undefined ? {} : { model }),
    },
    instructions,
    inputs: { messages: input.messages },
    workspace: { mode: "existing", root: workspace },
    ...(seconds > 0 ? { limits: { timeout_ms: Math.ceil(seconds * 1000) } } : {}),
    metadata: Object.fromEntries(Object.entries(marks).filter(([, value]) => value !== undefined)),
  };
}
