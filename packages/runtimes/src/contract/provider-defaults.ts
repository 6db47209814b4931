import { FAILURE_CLASSIFICATIONS, OUTCOME_STATUSES } from "./vocabulary.ts";

/**
 * Dotted paths of the fields that every task request must have. See agent-runtime-package: provider command contract.
 */
export const REQUEST_REQUIRED_FIELDS = ["schema", "task_id", "executor.backend", "instructions"] as const;

/**
 * Dotted paths of the request fields that may name the model provider. The named provider determines which conditional
 * secrets are required. See agent-runtime-package: secret requirements.
 */
export const SECRET_SELECTOR_PATHS = ["executor.config.provider", "executor.provider", "provider"] as const;

/**
 * Deprecated aliases of runtime ids, which are still accepted. No new aliases are added. See agent-runtime-package:
 * manifest fields.
 */
export const RUNTIME_ALIASES = { codebox: "wp-codebox" } as const;

/** Value of the field `quarantine` in the notice that a runtime was requested by a deprecated alias of its id. */
export const ALIAS_QUARANTINE = "legacy-runtime-id-alias";

/** Default limits of a task. */
export const TASK_LIMITS = {
  /** Time limit of the command, in milliseconds. */
  timeout_ms: 1_200_000,
  /** Time limit of a readiness command, in milliseconds. */
  readiness_timeout_ms: 20_000,
  /** Maximum size of an outcome, in characters. */
  max_output_bytes: 16_777_216,
  /** Number of characters that are stored from the end of a command's standard error. */
  stderr_tail_chars: 16_384,
  /** Maximum number of attempts after transient failures, including the first attempt. */
  attempts: 3,
  /** Wait before the second attempt, in milliseconds. The wait doubles with each further attempt. */
  retry_pause_ms: 250,
} as const;

/** Default values of a provider's manifest fields. */
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
