/** Statuses of a task's outcome. See agent-runtime-package: host orchestration contract. */
export const OUTCOME_STATUSES = [
  "succeeded",
  "no_op",
  "unable_to_remediate",
  "provider_error",
  "timeout",
  "failed",
  "follow_up_issue",
  "cancelled",
] as const;

/** Status of an outcome. */
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

/** Outcome statuses of later contract versions. They are accepted in documents and replaced by the mapped status. */
export const READ_STATUSES = { candidate_recoverable: "failed" } as const;

/**
 * Values that classify the failure of a task, shared by all backends. See agent-runtime-package: provider command
 * contract.
 */
export const FAILURE_CLASSIFICATIONS = [
  "provider",
  "transient",
  "timeout",
  "stalled",
  "rate_limited",
  "provider_account_blocked",
  "provider_quota_exhausted",
  "provider_billing_blocked",
  "provider_credentials_exhausted",
  "policy_denied",
  "capability_missing",
  "invalid_input",
  "request_validation",
  "execution_failed",
  "unknown",
] as const;

/** Classification of a failure. */
export type FailureClassification = (typeof FAILURE_CLASSIFICATIONS)[number];

/** Accepted aliases of failure classifications, mapped to the standard classification. */
export const CLASSIFICATION_ALIASES = {
  provider_quota: "rate_limited",
  quota_exceeded: "rate_limited",
  rate_limit: "rate_limited",
  max_turns: "timeout",
  runtime: "execution_failed",
  task: "execution_failed",
  incomplete: "execution_failed",
} as const;

/**
 * Values of a diagnostic's `class`. They state how a command ended, what was rejected, or what was noticed. See
 * agent-runtime-package: outcome and diagnostic contracts.
 */
export const DIAGNOSTIC_CLASSES = {
  setup: "agent_task.provider_setup",
  request: "agent_task.request_validation",
  execution: "agent_task.execution",
  timeout: "agent_task.timeout",
  stalled: "agent_task.stalled",
  no_op: "agent_task.no_op",
  spawn: "agent_task.provider_spawn_failed",
  unavailable: "agent_task.provider_command_unavailable",
  empty: "agent_task.provider_empty_stdout",
  malformed: "agent_task.provider_malformed_json",
  too_large: "agent_task.provider_output_too_large",
  exit: "agent_task.provider_nonzero_exit",
  signal: "agent_task.provider_signal_terminated",
  schema: "agent_task.provider_wrong_schema",
  task_id: "agent_task.provider_wrong_task",
  status: "agent_task.provider_undeclared_status",
  native_status: "agent_task.native_status",
  classification: "agent_task.provider_undeclared_classification",
  write_scope: "agent_task.write_outside_scope",
  write_scope_watched: "agent_task.write_scope_not_enforced",
  apply_back: "agent_task.apply_back_refused",
  artifact: "agent_task.artifact_refused",
  output: "agent_task.required_output_missing",
  secret: "agent_task.secret_env_missing",
  cancelled: "agent_task.cancelled",
} as const;

/**
 * Capability names with a meaning that all backends share. Other capability names are free text. See
 * agent-runtime-package: capability declarations.
 */
export const CAPABILITIES = [
  "workspace_materialization",
  "structured_outcome",
  "diagnostic_artifacts",
  "patch_artifacts",
  "verification_artifacts",
  "browser_runtime",
  "ability_execution",
  "agent_bundle_execution",
  "workflow_execution",
  "runtime_command_execution",
] as const;

/** Lifecycle statuses of a provider. See agent-runtime-package: manifest fields. */
export const PROVIDER_STATUSES = ["active", "experimental", "deprecated"] as const;

/**
 * Kinds of working folder in which a provider's command can run. See agent-runtime-package: workspace materialization.
 */
export const WORKSPACE_MODES = ["git_checkout", "runtime_package", "request_workspace"] as const;

/** Scopes of files that a provider's command may write. See agent-runtime-package: workspace materialization. */
export const WRITE_SCOPES = ["workspace", "artifacts", "none"] as const;

/**
 * Values of `runtime_execution.kind` in a request: what the request asks a provider to execute. See
 * agent-runtime-package: runtime execution contracts.
 */
export const RUNTIME_EXECUTION_KINDS = ["ability", "bundle", "workflow"] as const;
