import { EngineError } from "@switchyard/contracts";
import { z } from "zod";
import { describeIssues } from "../json/describe-issues.ts";
import type { OpenFields } from "../task/task-request.ts";
import { openFieldsSchema } from "../task/task-schemas.ts";

/** A group of a fan-out plan: the items that one task processes. */
export interface FanOutGroup {
  /** Key of the group. */
  readonly key: string;
  /** 0-based index of the group in the plan. */
  readonly index: number;
  /** Number of items. */
  readonly item_count: number;
}

/** A planned task: a task request with its group and index. */
export interface FanOutTask extends OpenFields {
  /** Id of the task, unique within the plan. */
  readonly id: string;
  /** Key of the task's group. */
  readonly group_key: string;
  /** Fields that the orchestrator set, and the 0-based `group_index`. */
  readonly orchestrator: OpenFields;
}

/** Settings for executing a fan-out plan and for comparing its task records with the plan. */
export interface FanOutExecution {
  /** Schema id of the fan-out's result. */
  readonly result_schema?: string | undefined;
  /** Statuses of task records that count as success. */
  readonly success_statuses?: readonly string[] | undefined;
  /** Dotted path of the outcome within a task's record. */
  readonly outcome_path?: string | undefined;
  /** Number of concurrent tasks. */
  readonly concurrency?: number | undefined;
  /** Additional fields of the fan-out run document. */
  readonly base_run?: OpenFields | undefined;
  /** Whether the fan-out run document includes the plan's summary. Default: true. */
  readonly include_summary?: boolean | undefined;
}

/** Plan of a fan-out. See agent-runtime-package: homeboy/fanout-reconcile-plan/v1. */
export interface FanOutPlan extends OpenFields {
  /** Schema id. Default: `homeboy/fanout-reconcile-plan/v1`. */
  readonly schema: string;
  /** Fields of the orchestrator. */
  readonly orchestrator: OpenFields;
  /** Summary with `item_count`, `group_count`, `task_count` and additional fields. */
  readonly summary: OpenFields;
  /** Groups, in the order of their first items. */
  readonly groups: readonly FanOutGroup[];
  /** Tasks, in the order of their groups. */
  readonly task_requests: readonly FanOutTask[];
  /**
   * Comparison of the task records with the plan, made before any task has run. Its field `schema` is the schema id
   * that all later comparisons of the fan-out use.
   */
  readonly reconciliation: OpenFields;
  /** Settings for execution and comparison, if the configuration has any. */
  readonly execution?: FanOutExecution | undefined;
}

const name = z.string().refine((value) => value.trim() !== "", "it is blank");

const task: z.ZodType<FanOutTask> = z.looseObject({
  id: name,
  group_key: z.string(),
  orchestrator: openFieldsSchema,
});

const execution: z.ZodType<FanOutExecution> = z.object({
  result_schema: z.string().optional(),
  success_statuses: z.array(z.string()).readonly().optional(),
  outcome_path: z.string().optional(),
  concurrency: z.number().optional(),
  base_run: openFieldsSchema.optional(),
  include_summary: z.boolean().optional(),
});

const schema: z.ZodType<FanOutPlan> = z.looseObject({
  schema: z.string(),
  orchestrator: openFieldsSchema,
  summary: openFieldsSchema,
  groups: z.array(z.object({ key: z.string(), index: z.number().int(), item_count: z.number().int() })).readonly(),
  task_requests: z.array(task).readonly(),
  reconciliation: openFieldsSchema,
  execution: execution.optional(),
});

/** Throws `input.invalid` unless each task has a unique id. */
export function assertTaskIds(tasks: readonly FanOutTask[], path: string): void {
  const seen = new Set<string>();
  for (const { id } of tasks) {
    const problem = id.trim() === "" ? "a task has no id" : seen.has(id) ? `two tasks have the id ${id}` : undefined;
    if (problem !== undefined) throw new EngineError("input.invalid", { path, expected: "plan of a fan-out", problem });
    seen.add(id);
  }
}

/** Parses a fan-out plan. `path` names the plan in error messages. Throws `input.invalid`. */
export function parseFanOutPlan(data: unknown, path = "the plan"): FanOutPlan {
  const parsed = schema.safeParse(data, { reportInput: true });
  if (!parsed.success) {
    const problem = describeIssues(parsed.error.issues).join("; ");
    throw new EngineError("input.invalid", { path, expected: "plan of a fan-out", problem });
  }
  assertTaskIds(parsed.data.task_requests, path);
  return parsed.data;
}
