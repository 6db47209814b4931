import { canonicalJson } from "../json/canonical-json.ts";
import {
  FANOUT_CONCURRENCY,
  FANOUT_RUN_STATUSES,
  OUTCOME_SUCCESS_WORDS,
  RECONCILE_SUCCESS_WORDS,
  RECORD_STATUS_OF_OUTCOME,
  RECORD_STATUSES,
} from "./orchestration.ts";
import {
  ALIAS_QUARANTINE,
  PROVIDER_DEFAULTS,
  REQUEST_REQUIRED_FIELDS,
  RUNTIME_ALIASES,
  SECRET_SELECTOR_PATHS,
  TASK_LIMITS,
} from "./provider-defaults.ts";
import {
  PROSE_CREDENTIAL_WORDS,
  PROSE_QUALIFIERS,
  REDACTED_METADATA_KEYS,
  REDACTED_VALUE,
  SCHEME_WORDS,
  STRUCTURED_HARMLESS_KEYS,
  STRUCTURED_SECRET_WORDS,
} from "./redaction-defaults.ts";
import { RETRYABLE_CLASSIFICATIONS } from "./retryable.ts";
import { SCHEMA_IDS } from "./schema-ids.ts";
import {
  CAPABILITIES,
  CLASSIFICATION_ALIASES,
  DIAGNOSTIC_CLASSES,
  FAILURE_CLASSIFICATIONS,
  OUTCOME_STATUSES,
  PROVIDER_STATUSES,
  READ_STATUSES,
  RUNTIME_EXECUTION_KINDS,
  WORKSPACE_MODES,
  WRITE_SCOPES,
} from "./vocabulary.ts";

/** The contract of agent tasks, as data. See agent-runtime-package: host orchestration contract. */
export interface TaskContract {
  /** Schema id of the contract. */
  readonly schema: string;
  /** Schema ids, by name. */
  readonly schemas: Readonly<Record<string, unknown>>;
  /** Allowed values of the fields that have a fixed set of values, and aliases that are also accepted. */
  readonly enums: Readonly<Record<string, unknown>>;
  /** Defaults for manifests and requests. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Field names whose values are redacted, and words that make a field name secret. */
  readonly redaction: Readonly<Record<string, unknown>>;
  /**
   * Constants for fan-outs: statuses of fan-outs and task records, the record status for each outcome status, and
   * limits of concurrency.
   */
  readonly orchestration: Readonly<Record<string, unknown>>;
}

/** Returns the contract of agent tasks as data. The contract contains every constant of this package. */
export function taskContract(): TaskContract {
  return {
    schema: SCHEMA_IDS.core_contract,
    schemas: SCHEMA_IDS,
    enums: {
      outcome_statuses: OUTCOME_STATUSES,
      read_statuses: READ_STATUSES,
      failure_classifications: FAILURE_CLASSIFICATIONS,
      classification_aliases: CLASSIFICATION_ALIASES,
      retryable_classifications: RETRYABLE_CLASSIFICATIONS,
      diagnostic_classes: DIAGNOSTIC_CLASSES,
      capabilities: CAPABILITIES,
      provider_statuses: PROVIDER_STATUSES,
      workspace_modes: WORKSPACE_MODES,
      write_scopes: WRITE_SCOPES,
      runtime_execution_kinds: RUNTIME_EXECUTION_KINDS,
    },
    defaults: {
      request_required_fields: REQUEST_REQUIRED_FIELDS,
      provider: PROVIDER_DEFAULTS,
      secret_selector_paths: SECRET_SELECTOR_PATHS,
      runtime_aliases: RUNTIME_ALIASES,
      alias_quarantine: ALIAS_QUARANTINE,
      limits: TASK_LIMITS,
    },
    redaction: {
      replacement: REDACTED_VALUE,
      metadata_keys: REDACTED_METADATA_KEYS,
      structured_secret_words: STRUCTURED_SECRET_WORDS,
      structured_harmless_keys: STRUCTURED_HARMLESS_KEYS,
      prose_credential_words: PROSE_CREDENTIAL_WORDS,
      prose_qualifiers: PROSE_QUALIFIERS,
      scheme_words: SCHEME_WORDS,
    },
    orchestration: {
      record_status_of_outcome: RECORD_STATUS_OF_OUTCOME,
      record_statuses: RECORD_STATUSES,
      run_statuses: FANOUT_RUN_STATUSES,
      outcome_success_words: OUTCOME_SUCCESS_WORDS,
      reconcile_success_words: RECONCILE_SUCCESS_WORDS,
      concurrency: FANOUT_CONCURRENCY,
    },
  };
}

/** Returns the contract in its published form: JSON with sorted keys, two spaces of indentation and a final newline. */
export function renderTaskContract(): string {
  return canonicalJson(taskContract());
}
