import { EngineError } from "@switchyard/contracts";
import { z } from "zod";
import { type FANOUT_RUN_STATUSES, RECORD_STATUSES } from "../contract/orchestration.ts";
import { describeIssues } from "../json/describe-issues.ts";
import type { OpenFields } from "../task/task-request.ts";
import { openFieldsSchema } from "../task/task-schemas.ts";

/** How a task of a plan stands for the host. agent-runtime-package: host orchestration contract. */
export type RecordStatus = (typeof RECORD_STATUSES)[number];

/** How a fan-out stands. */
export type FanOutStatus = (typeof FANOUT_RUN_STATUSES)[number];

/** What came of a planned task. */
export interface FanOutRecord extends OpenFields {
  /** Name of the task. */
  readonly id: string;
  /** Its group. */
  readonly group_key: string;
  /** How it stands for the host; the outcome keeps the provider's own status. */
  readonly status: RecordStatus;
  /** What the provider said. */
  readonly outcome?: unknown;
  /** Why there is no outcome. */
  readonly error_message?: string | undefined;
}

/** The records against the plan. agent-runtime-package: homeboy/generic-fanout-reconcile-reconciliation/v1. */
export interface FanOutReconciliation extends OpenFields {
  /** `homeboy/generic-fanout-reconcile-reconciliation/v1`, unless the plan names another one. */
  readonly schema: string;
  /** Groups of the plan. */
  readonly group_count: number;
  /** Tasks of the plan. */
  readonly task_count: number;
  /** Tasks that an execution gave a record of. */
  readonly record_count: number;
  /** Tasks that succeeded. */
  readonly success_count: number;
  /** Tasks that did not. */
  readonly failure_count: number;
  /** Tasks that have an outcome. */
  readonly outcome_count: number;
  /** Names of the tasks that did not succeed, those without a record among them, in the order of the plan. */
  readonly failed_task_ids: readonly string[];
}

/** A fan-out as it stands. agent-runtime-package: homeboy/fanout-reconcile-run/v1 and its result. */
export interface FanOutRun extends OpenFields {
  /** `homeboy/fanout-reconcile-run/v1` while it runs, `homeboy/generic-fanout-reconcile-result/v1` at the end. */
  readonly schema: string;
  /** Schema of its plan. */
  readonly plan_schema: string;
  /** Marks of whoever ordered it. */
  readonly orchestrator: OpenFields;
  /** Summary of the plan. */
  readonly summary: OpenFields;
  /** In the order of the plan. */
  readonly records: readonly FanOutRecord[];
  /** What the providers said, in the order of the plan. */
  readonly outcomes: readonly unknown[];
  /** The records against the plan. */
  readonly reconciliation: FanOutReconciliation;
  /** How it stands: `completed` only when every task succeeded. */
  readonly status: FanOutStatus;
  /** Group that was begun last; absent at the end. */
  readonly current_group?: string | undefined;
  /** Groups that are worked on; absent at the end. */
  readonly current_groups?: readonly string[] | undefined;
}

/** How far a fan-out is: one more task is over. agent-runtime-package: homeboy/fanout-reconcile-progress/v1. */
export interface FanOutProgress {
  /** `homeboy/fanout-reconcile-progress/v1`. */
  readonly schema: string;
  /** How the task stands. */
  readonly status: RecordStatus;
  /** Name of the task. */
  readonly id: string;
  /** Its group. */
  readonly group_key: string;
  /** Place of its group, 1-based. */
  readonly group_index: number;
  /** Groups of the plan. */
  readonly group_count: number;
  /** Status of the outcome in the provider's words; `none` without one. */
  readonly outcome_kind: string;
}

const record: z.ZodType<FanOutRecord> = z.looseObject({
  id: z.string(),
  group_key: z.string(),
  status: z.enum(RECORD_STATUSES),
  outcome: z.unknown().optional(),
  error_message: z.string().optional(),
});

const earlierRun: z.ZodType<{ records: readonly FanOutRecord[] }> = z.looseObject({
  orchestrator: openFieldsSchema,
  records: z.array(record).readonly(),
});

/** The records of a run that was kept, finished or not; `path` names it in errors. Throws `input.invalid`. */
export function parseFanOutRecords(data: unknown, path = "the run"): readonly FanOutRecord[] {
  const parsed = earlierRun.safeParse(data, { reportInput: true });
  if (parsed.success) return parsed.data.records;
  const problem = describeIssues(parsed.error.issues).join("; ");
  throw new EngineError("input.invalid", { path, expected: "run of a fan-out", problem });
}
