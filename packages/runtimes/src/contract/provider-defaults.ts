import { FAILURE_CLASSIFICATIONS, OUTCOME_STATUSES } from "./vocabulary.ts";

/** Paths that every provider requires of a request. agent-runtime-package: provider command contract. */
export const REQUEST_REQUIRED_FIELDS = ["schema", "task_id", "executor.backend", "instructions"] as const;

/** Where a request says which provider of models it wants: what conditional secrets are selected by. agent-runtime-package: secret requirements. */
export const SECRET_SELECTOR_PATHS = ["executor.config.provider", "executor.provider", "provider"] as const;

/** Other names of runtimes that callers may still use; nothing new is added here. agent-runtime-package: manifest fields. */
export const RUNTIME_ALIASES = { codebox: "wp-codebox" } as const;

/** Mark of names that only resolve for callers of old. */
export const ALIAS_QUARANTINE = "legacy-runtime-id-alias";

/** Limits of a task where neither request nor host says otherwise. */
export const TASK_LIMITS = {
  /** Time for the command, in milliseconds. */
  timeout_ms: 1_200_000,
  /** Time for a readiness command, in milliseconds. */
  readiness_timeout_ms: 20_000,
  /** Most characters of an outcome. */
  max_output_bytes: 16_777_216,
  /** Characters kept of the end of standard error. */
  stderr_tail_chars: 16_384,
  /** Attempts at a transient failure, the first included. */
  attempts: 3,
  /** Pause before the second attempt, in milliseconds; it doubles. */
  retry_pause_ms: 250,
} as const;

/** What a provider is taken to declare where its manifest says nothing. */
export const PROVIDER_DEFAULTS: {
  readonly request_required_fields: readonly string[];
  readonly outcome_statuses: readonly string[];
  readonly failure_classifications: readonly string[];
  readonly status: "active";
} = {
  request_required_fields: REQUEST_REQUIRED_FIELDS,
  outcome_statuses: OUTCOME_STATUSES,
  failure_classifications: FAILURE_CLASSIFICATIONS,
  status: "active",
};
