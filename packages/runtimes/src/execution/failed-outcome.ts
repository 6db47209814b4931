import { isRetryable } from "../contract/retryable.ts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import type { FailureClassification, OutcomeStatus } from "../contract/vocabulary.ts";
import type { TaskDiagnostic, TaskOutcome } from "../task/task-outcome.ts";

/** Why there is no outcome of a provider. */
export interface HostFailure {
  /** How the task ended. */
  readonly status: OutcomeStatus;
  /** Why. */
  readonly classification: FailureClassification;
  /** One sentence. */
  readonly summary: string;
  /** What is worth knowing; the first one says what kind of failure it is. */
  readonly diagnostics: readonly TaskDiagnostic[];
  /** Whether the same request may succeed when it is made again. */
  readonly retryable?: boolean | undefined;
}

/** The outcome of a task whose provider gave none. */
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
