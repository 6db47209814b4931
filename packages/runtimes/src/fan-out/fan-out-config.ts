import { EngineError } from "@switchyard/contracts";
import { z } from "zod";
import { describeIssues } from "../json/describe-issues.ts";
import type { OpenFields } from "../task/task-request.ts";
import { openFieldsSchema } from "../task/task-schemas.ts";

/** Items that belong together. */
export interface FanOutItems {
  /** By what the group is known. */
  readonly key: string;
  /** What is in it. */
  readonly items: readonly unknown[];
}

/** What a fan-out is planned from. agent-runtime-package: generic fanout schemas. */
export interface FanOutConfig extends OpenFields {
  /** Marks of whoever orders it, such as `run_id` and `plan_id`; templates can name them. */
  readonly orchestrator?: OpenFields | undefined;
  /** Items to be grouped. */
  readonly items?: readonly unknown[] | undefined;
  /** Groups that are made already. */
  readonly groups?: readonly FanOutItems[] | undefined;
  /** Dotted path of the field of an item that is the key of its group. */
  readonly group_key_path?: string | undefined;
  /** The same by another name. */
  readonly group_by?: string | undefined;
  /** The request of each group, with `{{group.key}}` and the like; `id` names the task. */
  readonly task_request_template?: OpenFields | undefined;
  /** What is to be executed, for requests that do not say it. */
  readonly runtime_execution?: OpenFields | undefined;
  /** Schema that the plan names. */
  readonly plan_schema?: string | undefined;
  /** Schema that the reconciliation names. */
  readonly reconciliation_schema?: string | undefined;
  /** More for the summary of the plan. */
  readonly summary?: OpenFields | undefined;
}

const schema: z.ZodType<FanOutConfig> = z.looseObject({
  orchestrator: openFieldsSchema.optional(),
  items: z.array(z.unknown()).readonly().optional(),
  groups: z
    .array(z.object({ key: z.string(), items: z.array(z.unknown()).readonly() }))
    .readonly()
    .optional(),
  group_key_path: z.string().optional(),
  group_by: z.string().optional(),
  task_request_template: openFieldsSchema.optional(),
  runtime_execution: openFieldsSchema.optional(),
  plan_schema: z.string().optional(),
  reconciliation_schema: z.string().optional(),
  summary: openFieldsSchema.optional(),
});

/** Reads what a fan-out is planned from; `path` names it in errors. Throws `input.invalid`. */
export function parseFanOutConfig(data: unknown, path = "the fan-out"): FanOutConfig {
  const parsed = schema.safeParse(data, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problem = describeIssues(parsed.error.issues).join("; ");
  throw new EngineError("input.invalid", { path, expected: "configuration of a fan-out", problem });
}
