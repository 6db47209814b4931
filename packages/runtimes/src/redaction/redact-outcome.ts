import { isRecord } from "../json/is-record.ts";
import type { TaskOutcome } from "../task/task-outcome.ts";
import { taskOutcomeSchema } from "../task/task-schemas.ts";
import { redactData } from "./redact-data.ts";
import { redactProse } from "./redact-prose.ts";

/**
 * An outcome whose summary, diagnostics and metadata hold no credentials by name or by form. Outputs and references stay
 * as they are: they are the work, and a patch with a word taken out is none. agent-runtime-package: outcome and
 * diagnostic contracts.
 */
export function redactOutcome(outcome: TaskOutcome, keys: readonly string[] = []): TaskOutcome | undefined {
  const redacted = {
    ...outcome,
    summary: redactProse(outcome.summary),
    diagnostics: redactData(outcome.diagnostics, { keys }),
    metadata: redactData(outcome.metadata, { keys }),
    artifacts: outcome.artifacts.map((artifact) =>
      isRecord(artifact["metadata"]) ? { ...artifact, metadata: redactData(artifact["metadata"], { keys }) } : artifact,
    ),
  };
  const checked = taskOutcomeSchema.safeParse(redacted);
  return checked.success ? checked.data : undefined;
}
