import { EngineError } from "@switchyard/contracts";
import { z } from "zod";
import { describeIssues } from "../json/describe-issues.ts";
import type { OpenFields } from "../task/task-request.ts";
import { openFieldsSchema } from "../task/task-schemas.ts";

/** A predefined group of items in the configuration of a fan-out. */
export interface FanOutItems extends OpenFields {
  /** Key of the group. Default: the field `group_key` or `id`, otherwise `group-` and the group's 1-based index. */
  readonly key?: string | undefined;
  /** Items of the group. */
  readonly items?: readonly unknown[] | undefined;
}

/**
 * Configuration of a fan-out, which runs one task per group of items. See agent-runtime-package: generic fanout
 * schemas.
 */
export interface FanOutConfig extends OpenFields {
  /** Fields that the orchestrator sets, such as `run_id` and `plan_id`. Templates can refer to them. */
  readonly orchestrator?: OpenFields | undefined;
  /** Items to group. */
  readonly items?: readonly unknown[] | undefined;
  /** Predefined groups, given instead of `items`. */
  readonly groups?: readonly FanOutItems[] | undefined;
  /**
   * Dotted path of the item field whose value is the key of the item's group. Items without this field are grouped by
   * `groupKey`, `kind` or `id`. Default: `group_key`.
   */
  readonly group_key_path?: string | undefined;
  /** Alias of `group_key_path`. */
  readonly group_by?: string | undefined;
  /**
   * Template of the task request for each group, with tokens such as `{{group.key}}`. Its field `id` is the id of the
   * task.
   */
  readonly task_request_template?: OpenFields | undefined;
  /** Provider-independent description of the work, for task requests that contain none. */
  readonly runtime_execution?: OpenFields | undefined;
  /** Schema id of the plan. */
  readonly plan_schema?: string | undefined;
  /** Schema id of the comparison between task records and plan. */
  readonly reconciliation_schema?: string | undefined;
  /** Additional fields of the plan's summary. */
  readonly summary?: OpenFields | undefined;
  /** Schema id of the fan-out's result. */
  readonly result_schema?: string | undefined;
  /** Statuses of task records that count as success when the records are compared with the plan. */
  readonly success_statuses?: readonly string[] | undefined;
  /** Dotted path of the outcome within a task's record. Default: `outcome`. */
  readonly outcome_path?: string | undefined;
  /** Number of concurrent tasks. */
  readonly concurrency?: number | undefined;
  /** Fields that are copied into the document of the fan-out run (`FanOutRun`). */
  readonly base_run?: OpenFields | undefined;
  /** Whether the fan-out run document includes the plan's summary. Default: true. */
  readonly include_summary?: boolean | undefined;
}

const schema: z.ZodType<FanOutConfig> = z.looseObject({
  orchestrator: openFieldsSchema.optional(),
  items: z.array(z.unknown()).readonly().optional(),
  groups: z
    .array(z.looseObject({ key: z.string().optional(), items: z.array(z.unknown()).readonly().optional() }))
    .readonly()
    .optional(),
  group_key_path: z.string().optional(),
  group_by: z.string().optional(),
  task_request_template: openFieldsSchema.optional(),
  runtime_execution: openFieldsSchema.optional(),
  plan_schema: z.string().optional(),
  reconciliation_schema: z.string().optional(),
  summary: openFieldsSchema.optional(),
  result_schema: z.string().optional(),
  success_statuses: z.array(z.string()).readonly().optional(),
  outcome_path: z.string().optional(),
  concurrency: z.number().optional(),
  base_run: openFieldsSchema.optional(),
  include_summary: z.boolean().optional(),
});

/** Parses the configuration of a fan-out. `path` names the configuration in error messages. Throws `input.invalid`. */
export function parseFanOutConfig(data: unknown, path = "the fan-out"): FanOutConfig {
  const parsed = schema.safeParse(data, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problem = describeIssues(parsed.error.issues).join("; ");
  throw new EngineError("input.invalid", { path, expected: "configuration of a fan-out", problem });
}
