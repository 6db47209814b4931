import type { ErrorClass, RunStatus, SessionReport, WireError } from "@switchyard/contracts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { DIAGNOSTIC_CLASSES, type FailureClassification, type OutcomeStatus } from "../contract/vocabulary.ts";
import { projectArtifact } from "../task/project-references.ts";
import type { TaskArtifact, TaskDiagnostic, TaskOutcome } from "../task/task-outcome.ts";

const STATUSES: Readonly<Partial<Record<RunStatus, OutcomeStatus>>> = {
  completed: "succeeded",
  failed: "failed",
  interrupted: "cancelled",
  cancelled: "cancelled",
  timed_out: "timeout",
};

const CLASSIFICATIONS: Readonly<Partial<Record<ErrorClass, FailureClassification>>> = {
  rate_limit: "rate_limited",
  timeout: "timeout",
  validation: "invalid_input",
  policy_denied: "policy_denied",
  forbidden: "policy_denied",
};

/** What a session came to, as the outcome of a task: for engines that stand behind a provider's command. */
export function toTaskOutcome(report: SessionReport, taskId: string): TaskOutcome {
  const { result, error, engine, runId, model, usage, timing, workspaceDiff } = report;
  const status = STATUSES[report.status] ?? "provider_error";
  const diff = workspaceDiff ?? result?.artifacts?.workspace_diff ?? "";
  const failure = failureOf(status, error);
  return {
    schema: SCHEMA_IDS.task_outcome,
    task_id: taskId,
    status,
    summary: error?.message ?? result?.final_message ?? "",
    ...failure,
    diagnostics: diagnosticsOf(report, status),
    artifacts: artifactsOf(report),
    evidence_refs: [{ kind: "switchyard-run", uri: `switchyard-run:${runId}`, label: engine }],
    ...(diff === "" ? {} : { outputs: { workspace_diff: diff } }),
    metadata: {
      ...{ engine, run_id: runId, run_status: report.status, duration_ms: timing.durationMs },
      ...{ input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
      ...(model === undefined ? {} : { model }),
    },
  };
}

/** Files that the result describes, and those that it only names; each path once. */
function artifactsOf({ result }: SessionReport): TaskArtifact[] {
  const { files = [], generated_files: generated = [] } = result?.artifacts ?? {};
  const described = files.filter(({ path, url }) => path !== undefined || url !== undefined);
  const known = new Set(described.map(({ path }) => path));
  const named = [...new Set(generated)].filter((path) => !known.has(path)).map((path) => ({ name: path, path }));
  return [...described, ...named].map((file, index) => {
    const { name, path, url } = { url: undefined, ...file };
    return projectArtifact({ name, path, url, kind: "file" }, index);
  });
}

type Failure = Pick<TaskOutcome, "failure_classification" | "retryable">;

function failureOf(status: OutcomeStatus, error: WireError | undefined): Failure {
  if (status === "succeeded") return {};
  if (status === "timeout") return { failure_classification: "timeout", retryable: true };
  if (status === "cancelled") return { failure_classification: "unknown", retryable: true };
  if (error === undefined) return { failure_classification: "execution_failed", retryable: false };
  const classes: Readonly<Record<string, FailureClassification | undefined>> = CLASSIFICATIONS;
  const word = classes[error.class] ?? (error.retryable ? "transient" : "provider");
  return { failure_classification: word, retryable: error.retryable };
}

function diagnosticsOf({ error, warnings = [], result }: SessionReport, status: OutcomeStatus): TaskDiagnostic[] {
  const kind = status === "timeout" ? DIAGNOSTIC_CLASSES.timeout : DIAGNOSTIC_CLASSES.execution;
  const failed = error === undefined ? [] : [{ class: kind, message: error.message, data: { code: error.code } }];
  const noted = warnings.map((message) => ({ class: "agent_task.warning", message }));
  const said = result?.stderr ?? "";
  const stderr = said.trim() === "" ? [] : [{ class: DIAGNOSTIC_CLASSES.execution, message: said.trim() }];
  return [...failed, ...noted, ...stderr];
}
