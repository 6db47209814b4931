import { EngineError } from "@switchyard/contracts";
import { describeIssues } from "../json/describe-issues.ts";
import { valueAt } from "../json/value-at.ts";
import type { TaskRequest } from "./task-request.ts";
import { taskRequestSchema } from "./task-schemas.ts";

/**
 * Parses a task request and checks its schema, `task_id`, `executor.backend`, `instructions`, and the fields that the
 * provider requires. All problems are reported together. Throws `runtime.request_invalid`. See agent-runtime-package:
 * provider command contract.
 */
export function parseTaskRequest(data: unknown, requiredFields: readonly string[] = []): TaskRequest {
  const parsed = taskRequestSchema.safeParse(data, { reportInput: true });
  const problems = parsed.success ? [] : describeIssues(parsed.error.issues);
  for (const path of requiredFields) {
    const isReported = problems.some((problem) => problem.startsWith(`${path} `) || problem.startsWith(`${path}:`));
    if (!isReported && isMissing(valueAt(data, path))) problems.push(`${path} is required`);
  }
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new EngineError("runtime.request_invalid", { problem: problems.join("; "), problems });
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}
