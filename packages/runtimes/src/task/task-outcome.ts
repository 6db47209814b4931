import type { OutcomeStatus } from "../contract/vocabulary.ts";
import type { OpenFields } from "./task-request.ts";

/** Something worth knowing about an execution. agent-runtime-package: outcome and diagnostic contracts. */
export interface TaskDiagnostic extends OpenFields {
  /** What kind of thing. */
  readonly class: string;
  /** One sentence. */
  readonly message: string;
  /** More, as data. */
  readonly data?: unknown;
}

/** A reference to something that was made. */
export interface TaskArtifact extends OpenFields {
  /** `homeboy/agent-task-artifact/v1`. */
  readonly schema: string;
  /** Id within the outcome. */
  readonly id: string;
  /** What it is. */
  readonly kind: string;
  /** Name of the file. */
  readonly name?: string | undefined;
  /** What it is for, in words that every backend shares. */
  readonly role?: string | undefined;
  /** Where, relative to the workspace. */
  readonly path?: string | undefined;
  /** Where it can be downloaded from. */
  readonly url?: string | undefined;
}

/** A reference to what backs an outcome up. */
export interface EvidenceRef extends OpenFields {
  /** What it is. */
  readonly kind: string;
  /** Where it is. */
  readonly uri: string;
  /** What to call it. */
  readonly label?: string | undefined;
}

/** How a task ended. agent-runtime-package: outcome and diagnostic contracts. */
export interface TaskOutcome extends OpenFields {
  /** `homeboy/agent-task-outcome/v1`. */
  readonly schema: string;
  /** Id of the task. */
  readonly task_id: string;
  /** How it ended. */
  readonly status: OutcomeStatus;
  /** One or two sentences for people. */
  readonly summary: string;
  /** What is worth knowing. */
  readonly diagnostics: readonly TaskDiagnostic[];
  /** What was made. */
  readonly artifacts: readonly TaskArtifact[];
  /** Marks of the provider, without secrets. */
  readonly metadata: OpenFields;
  /** Why it did not succeed. */
  readonly failure_classification?: string | undefined;
  /** Whether the same request may succeed when it is made again. */
  readonly retryable?: boolean | undefined;
  /** What backs it up. */
  readonly evidence_refs?: readonly EvidenceRef[] | undefined;
  /** Values that were given back. */
  readonly outputs?: OpenFields | undefined;
}
