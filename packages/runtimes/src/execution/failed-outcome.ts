import { isRetryable } from "../contract/retryable.ts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import type { FailureClassification, OutcomeStatus } from "../contract/vocabulary.ts";
import type { TaskDiagnostic, TaskOutcome } from "../task/task-outcome.ts";

/** Failure of a task for which the provider returned no outcome. */
export interface HostFailure {
  /** Status of the task. */
  readonly status: OutcomeStatus;
  /** Classification of the failure. */
  readonly classification: FailureClassification;
  /** Summary, in one sentence. */
  readonly summary: string;
  /** Diagnostics of the failure. The class of the first diagnostic is also the class of the failure. */
  readonly diagnostics: readonly TaskDiagnostic[];
  /** True if a retry of the same request may succeed. */
  readonly retryable?: boolean | undefined;
}

/** Builds the outcome of a task whose provider returned no outcome. */
export function failedOutcome(taskId: string, providerId: string, failure: HostFailure): TaskOutcome {
  return {
    schema: SCHEMA_IDS.task_outcome,
    task_id: taskId,
    status: failure.status,
    summary: failure.summary,
    failure_classification: failure.classification,
    retryable: failure.retryable ?? isRetryable(failure.status, failure.classification),
    diagnostics: failure.diagnostics,
    artifacts: [],
    evidence_refs: [{ kind: "agent-task-provider", uri: `agent-task-provider:${providerId}`, label: providerId }],
    metadata: {},
  };
}
