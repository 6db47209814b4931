import { toEngineError } from "@switchyard/contracts";
import { DIAGNOSTIC_CLASSES } from "../contract/vocabulary.ts";
import type { TaskOutcome } from "../task/task-outcome.ts";
import { failedOutcome } from "./failed-outcome.ts";

/**
 * Converts an error that prevented the start of a task to an outcome of the task. `provider` is the id of the provider.
 */
export function refusedOutcome(
  thrown: unknown,
  { taskId, provider }: { taskId: string; provider: string },
): TaskOutcome {
  const error = toEngineError(thrown);
  const isRequest = error.code === "runtime.request_invalid" || error.code.startsWith("workspace.");
  const kind = isRequest ? DIAGNOSTIC_CLASSES.request : DIAGNOSTIC_CLASSES.setup;
  return failedOutcome(taskId, provider, {
    status: isRequest ? "failed" : "provider_error",
    classification: isRequest ? "invalid_input" : "provider",
    summary: error.message,
    diagnostics: [{ class: kind, message: error.message, data: { code: error.code, remedy: error.remedy } }],
    retryable: error.retryable,
  });
}
