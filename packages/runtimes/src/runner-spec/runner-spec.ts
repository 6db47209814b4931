import { EngineError } from "@switchyard/contracts";
import { z } from "zod";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { describeIssues } from "../json/describe-issues.ts";
import { isRecord } from "../json/is-record.ts";
import type { ArtifactDeclaration, OpenFields, TaskExecutor, TaskLimits, TaskRequest } from "../task/task-request.ts";
import { artifactDeclarationSchema, taskLimitsSchema } from "../task/task-schemas.ts";

/**
 * Template for task requests: executor, limits and expected artifacts. See agent-runtime-package: homeboy contract
 * adapter.
 */
export interface RunnerSpec extends OpenFields {
  /** Schema id: `homeboy/agent-task-runner-spec/v1`. */
  readonly schema: string;
  /** Executor of the tasks. Its field `config` is always set. */
  readonly executor: TaskExecutor;
  /** Limits of a task. */
  readonly limits?: TaskLimits | undefined;
  /** Files that a task must create. */
  readonly artifact_declarations?: readonly ArtifactDeclaration[] | undefined;
  /** Names of files that a task must create. */
  readonly expected_artifacts?: readonly string[] | undefined;
}

/** Fields of a task request that come from a runner spec (template for task requests). */
export type RunnerSpecRequest = Pick<
  TaskRequest,
  "executor" | "limits" | "artifact_declarations" | "expected_artifacts"
>;

const rest = z.looseObject({
  limits: taskLimitsSchema.optional(),
  artifact_declarations: z.array(artifactDeclarationSchema).readonly().optional(),
  expected_artifacts: z.array(z.string()).readonly().optional(),
});

const executorRest = z.looseObject({
  runtime: z.string().optional(),
  selector: z.string().optional(),
  model: z.string().optional(),
  required_capabilities: z.array(z.string()).readonly().optional(),
  secret_env: z.array(z.string()).readonly().optional(),
});

/**
 * Parses a runner spec. There is no default backend. All problems are reported together, each with its own message.
 * Throws `config.invalid`. See agent-runtime-package: homeboy contract adapter.
 */
export function parseRunnerSpec(data: unknown): RunnerSpec {
  const document = isRecord(data) ? data : {};
  const executor = document["executor"];
  const problems: string[] = [];
  if (document["schema"] !== SCHEMA_IDS.runner_spec)
    problems.push(`runner spec schema must be ${SCHEMA_IDS.runner_spec}.`);
  if (!isRecord(executor)) problems.push("runner spec executor is required.");
  const backend = isRecord(executor) ? executor["backend"] : undefined;
  if (isRecord(executor) && (typeof backend !== "string" || backend.trim() === ""))
    problems.push("backend is required.");
  if (isRecord(executor) && !isRecord(executor["config"])) problems.push("runner spec executor.config is required.");
  const checked = rest.safeParse(document, { reportInput: true });
  const checkedExecutor = executorRest.safeParse(executor, { reportInput: true });
  if (!checked.success) problems.push(...describeIssues(checked.error.issues));
  if (isRecord(executor) && !checkedExecutor.success) {
    problems.push(...describeIssues(checkedExecutor.error.issues).map((problem) => `executor.${problem}`));
  }
  if (problems.length === 0 && checked.success && checkedExecutor.success && typeof backend === "string") {
    return { ...checked.data, schema: SCHEMA_IDS.runner_spec, executor: { ...checkedExecutor.data, backend } };
  }
  throw new EngineError("config.invalid", { field: "runner spec", problem: problems.join(" "), problems });
}

/**
 * Returns the request fields that a runner spec (template for task requests) determines. See agent-runtime-package:
 * homeboy contract adapter.
 */
export function projectRunnerSpec(spec: RunnerSpec): RunnerSpecRequest {
  const { executor, limits, artifact_declarations: declarations, expected_artifacts: expected } = spec;
  return {
    executor,
    ...(limits === undefined ? {} : { limits }),
    ...(declarations === undefined ? {} : { artifact_declarations: declarations }),
    ...(expected === undefined ? {} : { expected_artifacts: expected }),
  };
}
