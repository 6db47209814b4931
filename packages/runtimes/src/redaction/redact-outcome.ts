import type { TaskOutcome } from "../task/task-outcome.ts";
import { taskOutcomeSchema } from "../task/task-schemas.ts";
import { redactData } from "./redact-data.ts";

/** Outcome fields that are not redacted: ids, fields with a fixed set of values, and outputs. */
const UNCHANGED = [
  "schema",
  "task_id",
  "status",
  "outputs",
  "typed_artifacts",
  "failure_classification",
  "retryable",
] as const;

/**
 * Redacts a task's outcome: summary, diagnostics, metadata, evidence, artifacts and unknown fields. Outputs and
 * artifact paths are unchanged, because a redacted patch could not be applied. Returns `undefined` if the result is not
 * a valid outcome. See agent-runtime-package: outcome and diagnostic contracts.
 */
export function redactOutcome(outcome: TaskOutcome, keys: readonly string[] = []): TaskOutcome | undefined {
  const unchanged = new Set<string>(UNCHANGED);
  const redacted = Object.fromEntries(
    Object.entries(outcome).map(([name, value]) => [name, unchanged.has(name) ? value : redactData(value, { keys })]),
  );
  const artifacts = outcome.artifacts.map((artifact) => {
    const { schema, id, kind, path } = artifact;
    const preserved = { schema, id, kind, ...(path === undefined ? {} : { path }) };
    return { ...Object(redactData(artifact, { keys })), ...preserved };
  });
  const checked = taskOutcomeSchema.safeParse({ ...redacted, artifacts });
  return checked.success ? checked.data : undefined;
}
