import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import { PROVIDER_DEFAULTS } from "../contract/provider-defaults.ts";
import { isRetryable } from "../contract/retryable.ts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import {
  CLASSIFICATION_ALIASES,
  DIAGNOSTIC_CLASSES,
  OUTCOME_STATUSES,
  type OutcomeStatus,
  READ_STATUSES,
} from "../contract/vocabulary.ts";
import { isRecord } from "../json/is-record.ts";
import type { ExecutorProvider } from "../manifest/runtime-manifest.ts";
import { redactOutcome } from "../redaction/redact-outcome.ts";
import { firstText, projectArtifact, projectDiagnostic, projectEvidence } from "../task/project-references.ts";
import type { TaskArtifact, TaskDiagnostic, TaskOutcome } from "../task/task-outcome.ts";
import type { OpenFields, TaskRequest } from "../task/task-request.ts";
import { withRole, withRoleNames } from "./apply-role-aliases.ts";
import { confineArtifacts, confineTypedArtifacts } from "./confine-artifacts.ts";
import type { HostFailure } from "./failed-outcome.ts";

/** Options for `validateOutcome`. */
export interface ValidateOutcomeOptions {
  /** Provider that returned the outcome. */
  readonly provider: ExecutorProvider;
  /** Request of the task. */
  readonly request: TaskRequest;
  /** Environment that contains the outcome's files. */
  readonly environment: ExecutionEnvironment;
  /** Masks known secrets. */
  readonly masker: Masker;
}

/** A valid outcome, or a failure that states why the provider's document is not valid. */
export type ValidatedOutcome =
  | { readonly kind: "outcome"; readonly outcome: TaskOutcome }
  | { readonly kind: "failure"; readonly failure: HostFailure };

/**
 * Validates the outcome document of a provider. The resulting outcome has the declared schema and the right task id.
 * Its status is one of those that all providers share. It refers only to files in the workspace, and its secrets are
 * masked. See agent-runtime-package: outcome and diagnostic contracts.
 */
export async function validateOutcome(
  document: Record<string, unknown>,
  { provider, request, environment, masker }: ValidateOutcomeOptions,
): Promise<ValidatedOutcome> {
  const refusedAs = refusal(document, provider, request);
  if (refusedAs !== undefined) return { kind: "failure", failure: refusedAs };
  const { status, notes } = statusOf(document);
  const diagnostics = [...listOf(document["diagnostics"]).map(projectDiagnostic), ...notes];
  const projected = listOf(document["artifacts"]).map(projectArtifact);
  const { artifacts, diagnostics: dropped } = await confineArtifacts(projected, environment);
  const typed = await confineTypedArtifacts(listOf(document["typed_artifacts"]), environment);
  const refused = [...dropped, ...typed.diagnostics];
  const evidence = listOf(document["evidence_refs"]).flatMap((one) => projectEvidence(one) ?? []);
  const aliases = provider.role_aliases;
  const outputs = isRecord(document["outputs"]) ? withRoleNames(document["outputs"], aliases?.outputs) : undefined;
  const metadata = withRoleNames(isRecord(document["metadata"]) ? document["metadata"] : {}, aliases?.metadata);
  const draft: TaskOutcome = {
    ...document,
    schema: SCHEMA_IDS.task_outcome,
    task_id: request.task_id,
    status,
    summary: firstText(document["summary"]) ?? "",
    diagnostics: [...diagnostics, ...refused],
    artifacts: artifacts.map((artifact) => withRole(artifact, provider)),
    metadata: { ...metadata, ...nativeStatus(document, status), ...refusedArtifacts(refused) },
    ...(Array.isArray(document["typed_artifacts"]) ? { typed_artifacts: typed.entries } : {}),
    ...(evidence.length === 0 ? {} : { evidence_refs: evidence }),
    ...(outputs === undefined ? {} : { outputs }),
  };
  const { failure_classification: _, retryable: __, ...withoutFailure } = draft;
  const judged = judge(withoutFailure, request, document);
  const classified = classify(judged, document, provider);
  const outcome = redactOutcome(masker.maskData(classified), provider.redacted_metadata_keys);
  if (outcome !== undefined) return { kind: "outcome", outcome };
  return { kind: "failure", failure: providerError("malformed", "The outcome has fields of a wrong type.") };
}

function providerError(kind: keyof typeof DIAGNOSTIC_CLASSES, summary: string): HostFailure {
  const diagnostics = [{ class: DIAGNOSTIC_CLASSES[kind], message: summary }];
  return { status: "provider_error", classification: "provider", summary, diagnostics };
}

function refusal(
  document: Record<string, unknown>,
  { outcome_schema: schema = SCHEMA_IDS.task_outcome, outcome_statuses: statuses }: ExecutorProvider,
  { task_id: taskId }: TaskRequest,
): HostFailure | undefined {
  if (document["schema"] !== schema) return providerError("schema", `The outcome's schema is not ${schema}.`);
  if (document["task_id"] !== taskId) return providerError("task_id", "The outcome is for another task.");
  const status = document["status"];
  const declared: readonly unknown[] = statuses ?? PROVIDER_DEFAULTS.outcome_statuses;
  if (status === undefined || status === null || status === "") return undefined;
  if (declared.includes(status) || (typeof status === "string" && Object.hasOwn(READ_STATUSES, status)))
    return undefined;
  return providerError("status", "The outcome has a status that the provider does not declare.");
}

function isStatus(status: unknown): status is OutcomeStatus {
  return OUTCOME_STATUSES.some((known) => known === status);
}

/**
 * Returns the status of an outcome as one of the shared statuses. An outcome without a known status counts as failed.
 */
function statusOf(document: Record<string, unknown>): { status: OutcomeStatus; notes: TaskDiagnostic[] } {
  const status = document["status"];
  if (isStatus(status)) return { status, notes: [] };
  const statusText = typeof status === "string" && status !== "" ? `The status ${status} counts as failed.` : "";
  const message = statusText === "" ? "The outcome has no status and counts as failed." : statusText;
  return { status: "failed", notes: [{ class: DIAGNOSTIC_CLASSES.native_status, message }] };
}

/**
 * Returns a metadata field with the number of rejected artifacts of a successful task, for programs that read the
 * outcome.
 */
function refusedArtifacts(diagnostics: readonly TaskDiagnostic[]): OpenFields {
  return diagnostics.length === 0 ? {} : { refused_artifact_count: diagnostics.length };
}

function nativeStatus(document: Record<string, unknown>, status: OutcomeStatus): OpenFields {
  const native = document["status"];
  return typeof native === "string" && native !== "" && native !== status ? { native_status: native } : {};
}

/** Checks that a successful outcome contains a response or another result, and all required artifacts and outputs. */
function judge(outcome: TaskOutcome, request: TaskRequest, document: Record<string, unknown>): TaskOutcome {
  if (outcome.status === "no_op") return withDiagnostic(outcome, DIAGNOSTIC_CLASSES.no_op, "Nothing was to be done.");
  if (outcome.status !== "succeeded") return outcome;
  const { outputs = {} } = outcome;
  const hasWork = outcome.artifacts.length > 0 || Object.keys(outputs).length > 0 || hasEntries(document["workflow"]);
  if (!hasWork && outcome.summary.trim() === "") {
    const message = "The provider claims success with an empty answer and no work.";
    return withDiagnostic(
      { ...outcome, status: "provider_error", summary: message },
      DIAGNOSTIC_CLASSES.empty,
      message,
    );
  }
  const missing = missingOutputs(outcome, request);
  if (missing.length === 0) return outcome;
  const message = `The provider claims success without ${missing.join(", ")}.`;
  return withDiagnostic({ ...outcome, status: "failed" }, DIAGNOSTIC_CLASSES.output, message);
}

function hasEntries(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0;
}

function withDiagnostic(outcome: TaskOutcome, name: string, message: string): TaskOutcome {
  return { ...outcome, diagnostics: [...outcome.diagnostics, { class: name, message }] };
}

function missingOutputs({ outputs = {}, artifacts }: TaskOutcome, request: TaskRequest): string[] {
  const needed = (request.output_declarations ?? []).filter(({ required }) => required === true);
  const files = (request.artifact_declarations ?? []).filter(({ required }) => required === true);
  const exists = (name: string, path?: string) =>
    artifacts.some((one) => [one.id, one.name, one.role, one.kind].includes(name) || isSamePath(one, path ?? name));
  return [
    ...needed.filter(({ name }) => outputs[name] === undefined).map(({ name }) => `the output ${name}`),
    ...files.filter(({ name, path }) => !exists(name, path)).map(({ name }) => `the artifact ${name}`),
  ];
}

function isSamePath({ path }: TaskArtifact, wanted: string): boolean {
  return path !== undefined && path.replace(/^\.\//u, "") === wanted.replace(/^\.\//u, "");
}

/**
 * Sets the failure classification of an unsuccessful outcome. Classifications that the provider does not declare become
 * `unknown`.
 */
function classify(outcome: TaskOutcome, document: Record<string, unknown>, provider: ExecutorProvider): TaskOutcome {
  if (outcome.status === "succeeded" || outcome.status === "no_op") return outcome;
  const declared = provider.failure_classifications ?? PROVIDER_DEFAULTS.failure_classifications;
  const aliases: Readonly<Record<string, string>> = CLASSIFICATION_ALIASES;
  const reported = firstText(document["failure_classification"]);
  const classification =
    reported === undefined
      ? usual(outcome.status, declared)
      : declared.includes(reported)
        ? reported
        : aliases[reported];
  const known = classification !== undefined && declared.includes(classification) ? classification : "unknown";
  const retryable = document["retryable"];
  const classified = {
    ...outcome,
    failure_classification: known,
    retryable: typeof retryable === "boolean" ? retryable : isRetryable(outcome.status, known),
  };
  if (reported === undefined || known === reported) return classified;
  const message = `The provider does not declare the classification ${reported}; it is treated as ${known}.`;
  return withDiagnostic(classified, DIAGNOSTIC_CLASSES.classification, message);
}

function usual(status: OutcomeStatus, declared: readonly string[]): string {
  const classifications: Readonly<Partial<Record<OutcomeStatus, string>>> = {
    timeout: "timeout",
    provider_error: "provider",
  };
  const classification = classifications[status] ?? "execution_failed";
  return declared.includes(classification) ? classification : "unknown";
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
