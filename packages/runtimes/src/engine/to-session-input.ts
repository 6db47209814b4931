import type { SessionInput, SessionMessage } from "@switchyard/contracts";
import { sessionInputSchema } from "@switchyard/contracts/schemas";
import { isRecord } from "../json/is-record.ts";
import type { TaskRequest } from "../task/task-request.ts";

/**
 * Converts a task to a session input. Used if an engine is run as the command of a provider. If the task's inputs
 * contain a conversation, the session continues it. Other inputs are appended to the instructions as data.
 */
export function toSessionInput(request: TaskRequest): SessionInput {
  const { limits = {}, executor, task_id: caseId } = request;
  const times = [limits.timeout_ms, limits.max_runtime_ms].flatMap((ms) => (ms === undefined || ms === 0 ? [] : [ms]));
  return {
    messages: messagesOf(request),
    case_id: caseId,
    ...(executor.model === undefined ? {} : { model: executor.model }),
    ...(request.workspace?.root === undefined ? {} : { workspace: request.workspace.root }),
    ...(times.length === 0 ? {} : { timeout_seconds: Math.max(1, Math.ceil(Math.min(...times) / 1000)) }),
  };
}

function messagesOf({ instructions, inputs }: TaskRequest): SessionMessage[] {
  if (isRecord(inputs) && Array.isArray(inputs["messages"])) {
    const parsed = sessionInputSchema.safeParse({ messages: inputs["messages"] });
    const last = parsed.success ? parsed.data.messages.findLast(({ role }) => role === "user") : undefined;
    if (parsed.success && last?.content === instructions) return parsed.data.messages;
  }
  const data = inputs === undefined ? "" : `\n\nInputs of the task, as JSON:\n${JSON.stringify(inputs, undefined, 2)}`;
  return [{ role: "user", content: `${instructions}${data}` }];
}
