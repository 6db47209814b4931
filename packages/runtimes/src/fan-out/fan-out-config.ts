import { EngineError } from "@switchyard/contracts";
import { z } from "zod";
import { describeIssues } from "../json/describe-issues.ts";
import type { OpenFields } from "../task/task-request.ts";
import { openFieldsSchema } from "../task/task-schemas.ts";

/** A predefined group of items in the configuration of a fan-out. */
export interface FanOutItems extends OpenFields {
  /**
   * Key of the group. Default: the field `group_key` or `id`, otherwise `group-` and the 1-based position of the group.
   */
  readonly key?: string | undefined;
  /** Items of the group. */
  readonly items?: readonly unknown[] | undefined;
}

/** Configuration of a fan-out. agent-runtime-package: generic fanout schemas. */
export interface FanOutConfig extends OpenFields {
  /** Fields of the orchestrator, such as `run_id` and `plan_id`; available in templates. */
  readonly orchestrator?: OpenFields | undefined;
  /** Items to group. */
  readonly items?: readonly unknown[] | undefined;
  /** Predefined groups, instead of `items`. */
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
  /** Runtime execution descriptor, for requests without one. */
  readonly runtime_execution?: OpenFields | undefined;
  /** Schema id of the plan. */
  readonly plan_schema?: string | undefined;
  /** Schema id of the reconciliation. */
  readonly reconciliation_schema?: string | undefined;
  /** Additional fields of the plan's summary. */
  readonly summary?: OpenFields | undefined;
  /** Schema id of the result. */
  readonly result_schema?: string | undefined;
  /** Record statuses that count as success when the run is reconciled. */
  readonly success_statuses?: readonly string[] | undefined;
  /** Dotted path of the outcome in a record. Default: `outcome`. */
  readonly outcome_path?: string | undefined;
  /** Number of concurrent tasks. */
  readonly concurrency?: number | undefined;
  /** Additional fields of the run. */
  readonly base_run?: OpenFields | undefined;
  /** True if the run includes the plan's summary. Default: true. */
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
