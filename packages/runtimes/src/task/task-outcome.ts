import type { OutcomeStatus } from "../contract/vocabulary.ts";
import type { OpenFields } from "./task-request.ts";

/** A diagnostic message of a task's execution. See agent-runtime-package: outcome and diagnostic contracts. */
export interface TaskDiagnostic extends OpenFields {
  /** Class of the diagnostic. */
  readonly class: string;
  /** Message, in one sentence. */
  readonly message: string;
  /** Additional data. */
  readonly data?: unknown;
}

/** A reference to an artifact. */
export interface TaskArtifact extends OpenFields {
  /** Schema id: `homeboy/agent-task-artifact/v1`. */
  readonly schema: string;
  /** Id within the outcome. */
  readonly id: string;
  /** Kind of the artifact. */
  readonly kind: string;
  /** Name of the file. */
  readonly name?: string | undefined;
  /** Role of the artifact. All backends use the same roles. */
  readonly role?: string | undefined;
  /** Path relative to the workspace. */
  readonly path?: string | undefined;
  /** URL from which the artifact can be downloaded. */
  readonly url?: string | undefined;
}

/** A file or URL that supports an outcome, such as a log. */
export interface EvidenceRef extends OpenFields {
  /** Kind of the evidence. */
  readonly kind: string;
  /** URI of the evidence. */
  readonly uri: string;
  /** Label for display. */
  readonly label?: string | undefined;
}

/** Outcome of a task. See agent-runtime-package: outcome and diagnostic contracts. */
export interface TaskOutcome extends OpenFields {
  /** Schema id: `homeboy/agent-task-outcome/v1`. */
  readonly schema: string;
  /** Id of the task. */
  readonly task_id: string;
  /** Status of the task. */
  readonly status: OutcomeStatus;
  /** Summary, in one or two sentences. */
  readonly summary: string;
  /** Diagnostics of the execution. */
  readonly diagnostics: readonly TaskDiagnostic[];
  /** Created artifacts. */
  readonly artifacts: readonly TaskArtifact[];
  /** Metadata from the provider, without secrets. */
  readonly metadata: OpenFields;
  /** Classification of the failure. `undefined` if the task succeeded. */
  readonly failure_classification?: string | undefined;
  /** True if a retry of the same request may succeed. */
  readonly retryable?: boolean | undefined;
  /** Evidence for the outcome. */
  readonly evidence_refs?: readonly EvidenceRef[] | undefined;
  /** Output values. */
  readonly outputs?: OpenFields | undefined;
}
