import type { ErrorClass, RunStatus, SessionArtifactFile, SessionReport, WireError } from "@switchyard/contracts";
import { isRetryable } from "../contract/retryable.ts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { DIAGNOSTIC_CLASSES, type FailureClassification, type OutcomeStatus } from "../contract/vocabulary.ts";
import { projectArtifact } from "../task/project-references.ts";
import type { TaskArtifact, TaskDiagnostic, TaskOutcome } from "../task/task-outcome.ts";

const MICROS = 1_000_000;

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

/** Converts a session report to a task outcome. Used if an engine is run as the command of a provider. */
export function toTaskOutcome(report: SessionReport, taskId: string): TaskOutcome {
  const { result, error, engine, runId, model, usage, timing, workspaceDiff } = report;
  const status = STATUSES[report.status] ?? "provider_error";
  const diff = workspaceDiff ?? result?.artifacts?.workspace_diff ?? "";
  const failure = failureOf(status, error);
  const { artifacts, omitted } = artifactsOf(report);
  return {
    schema: SCHEMA_IDS.task_outcome,
    task_id: taskId,
    status,
    summary: error?.message ?? result?.final_message ?? "",
    ...failure,
    diagnostics: [...diagnosticsOf(report, failure), ...omitted],
    artifacts,
    evidence_refs: [{ kind: "switchyard-run", uri: `switchyard-run:${runId}`, label: engine }],
    ...(diff === "" ? {} : { outputs: { workspace_diff: diff } }),
    metadata: {
      ...{ engine, run_id: runId, run_status: report.status, duration_ms: timing.durationMs },
      ...{ input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
      ...(usage.costMicros === undefined ? {} : { cost_usd: usage.costMicros / MICROS }),
      ...(model === undefined ? {} : { model }),
    },
  };
}

/**
 * Maximum total size of the inline artifact contents in an outcome, in characters. Artifacts that exceed it are left
 * out, because hosts accept only a few megabytes.
 */
const MAX_CONTENT_CHARS = 4 * 1024 * 1024;

/** Returns the declared and generated files of a session result as artifacts, without duplicate paths. */
function artifactsOf({ result, runId }: SessionReport): { artifacts: TaskArtifact[]; omitted: TaskDiagnostic[] } {
  const { files = [], generated_files: generated = [] } = result?.artifacts ?? {};
  const known = new Set(files.map(({ path }) => path));
  const named = [...new Set(generated)].filter((path) => !known.has(path)).map((path) => ({ name: path, path }));
  const omitted: TaskDiagnostic[] = [];
  let room = MAX_CONTENT_CHARS;
  const artifacts = [...files, ...named].flatMap((file: SessionArtifactFile, index) => {
    const { name, path, url, content_type: mime, content, content_base64 } = file;
    if ([path, url, content, content_base64].every((source) => source === undefined)) return [];
    const chars = content?.length ?? content_base64?.length ?? 0;
    if (chars > room) {
      const message = `The artifact ${name} was left out, because its content is too large for an outcome. The run ${runId} contains it.`;
      omitted.push({ class: DIAGNOSTIC_CLASSES.artifact, message });
      return [];
    }
    room -= chars;
    const carried = content === undefined ? { content_base64 } : { content };
    return [projectArtifact({ name, path, url, kind: "file", mime, ...carried }, index)];
  });
  return { artifacts, omitted };
}

type Failure = Pick<TaskOutcome, "failure_classification" | "retryable">;

function failureOf(status: OutcomeStatus, error: WireError | undefined): Failure {
  if (status === "succeeded") return {};
  const known = status === "timeout" ? status : status === "cancelled" ? "unknown" : undefined;
  if (known !== undefined || error === undefined) {
    const classification = known ?? "execution_failed";
    return { failure_classification: classification, retryable: isRetryable(status, classification) };
  }
  const classes: Readonly<Record<string, FailureClassification | undefined>> = CLASSIFICATIONS;
  const mapped = classes[error.class] ?? (error.retryable ? "transient" : "provider");
  return { failure_classification: mapped, retryable: error.retryable };
}

function diagnosticsOf({ error, warnings = [], result }: SessionReport, failure: Failure): TaskDiagnostic[] {
  const isTimeout = failure.failure_classification === "timeout";
  const kind = isTimeout ? DIAGNOSTIC_CLASSES.timeout : DIAGNOSTIC_CLASSES.execution;
  const failed = error === undefined ? [] : [{ class: kind, message: error.message, data: { code: error.code } }];
  const noted = warnings.map((message) => ({ class: "agent_task.warning", message }));
  const stderrText = result?.stderr ?? "";
  const stderr = stderrText.trim() === "" ? [] : [{ class: DIAGNOSTIC_CLASSES.execution, message: stderrText.trim() }];
  return [...failed, ...noted, ...stderr];
}
