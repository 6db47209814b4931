import { z } from "zod";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { OUTCOME_STATUSES } from "../contract/vocabulary.ts";
import type { EvidenceRef, TaskArtifact, TaskDiagnostic, TaskOutcome } from "./task-outcome.ts";
import type {
  ArtifactDeclaration,
  OpenFields,
  OutputDeclaration,
  TaskExecutor,
  TaskLimits,
  TaskRequest,
  TaskWorkspace,
} from "./task-request.ts";

const text = z.string().refine((value) => value.trim() !== "", "it is blank");
const texts = z.array(z.string()).readonly();
const milliseconds = z.number().nonnegative();

/** Schema of an object with any fields. */
export const openFieldsSchema: z.ZodType<OpenFields> = z.record(z.string(), z.unknown());

/** Schema of an executor. */
const executor: z.ZodType<TaskExecutor> = z.looseObject({
  backend: text,
  runtime: z.string().optional(),
  selector: z.string().optional(),
  required_capabilities: texts.optional(),
  secret_env: texts.optional(),
  model: z.string().optional(),
  config: z.unknown().optional(),
});

/** Schema of a workspace. */
export const taskWorkspaceSchema: z.ZodType<TaskWorkspace> = z.looseObject({
  root: z.string().optional(),
  mode: z.string().optional(),
});

/** Schema of limits. */
export const taskLimitsSchema: z.ZodType<TaskLimits> = z.looseObject({
  timeout_ms: milliseconds.optional(),
  max_runtime_ms: milliseconds.optional(),
  execution_deadline_unix_ms: milliseconds.optional(),
  liveness_timeout_ms: milliseconds.optional(),
  max_output_bytes: milliseconds.optional(),
});

/** Schema of an artifact that a request declares. */
export const artifactDeclarationSchema: z.ZodType<ArtifactDeclaration> = z.looseObject({
  name: text,
  type: z.string().optional(),
  path: z.string().optional(),
  required: z.boolean().optional(),
});

const outputDeclaration: z.ZodType<OutputDeclaration> = z.looseObject({
  name: text,
  required: z.boolean().optional(),
});

/** Schema of a task request; unknown fields are preserved. See agent-runtime-package: provider command contract. */
export const taskRequestSchema: z.ZodType<TaskRequest> = z.looseObject({
  schema: z.literal(SCHEMA_IDS.task_request),
  task_id: text,
  executor,
  instructions: text,
  group_key: z.string().optional(),
  inputs: z.unknown().optional(),
  workspace: taskWorkspaceSchema.optional(),
  limits: taskLimitsSchema.optional(),
  expected_artifacts: texts.optional(),
  artifact_declarations: z.array(artifactDeclarationSchema).readonly().optional(),
  output_declarations: z.array(outputDeclaration).readonly().optional(),
  artifacts_path: z.string().optional(),
  runtime_execution: openFieldsSchema.optional(),
  metadata: openFieldsSchema.optional(),
});

const diagnostic: z.ZodType<TaskDiagnostic> = z.looseObject({
  class: z.string(),
  message: z.string(),
  data: z.unknown().optional(),
});

const artifact: z.ZodType<TaskArtifact> = z.looseObject({
  schema: z.string(),
  id: z.string(),
  kind: z.string(),
  name: z.string().optional(),
  role: z.string().optional(),
  path: z.string().optional(),
  url: z.string().optional(),
});

const evidence: z.ZodType<EvidenceRef> = z.looseObject({
  kind: z.string(),
  uri: z.string(),
  label: z.string().optional(),
});

/**
 * Schema of a task outcome that is returned to callers. Unknown fields are preserved. See agent-runtime-package:
 * outcome and diagnostic contracts.
 */
export const taskOutcomeSchema: z.ZodType<TaskOutcome> = z.looseObject({
  schema: z.literal(SCHEMA_IDS.task_outcome),
  task_id: z.string(),
  status: z.enum(OUTCOME_STATUSES),
  summary: z.string(),
  diagnostics: z.array(diagnostic).readonly(),
  artifacts: z.array(artifact).readonly(),
  metadata: openFieldsSchema,
  failure_classification: z.string().optional(),
  retryable: z.boolean().optional(),
  evidence_refs: z.array(evidence).readonly().optional(),
  outputs: openFieldsSchema.optional(),
});
