import type { FANOUT_RUN_STATUSES, RECORD_STATUSES } from "../contract/orchestration.ts";
import type { OpenFields } from "../task/task-request.ts";

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

/** A task that is being executed. */
export interface RunningTask {
  /** Id of the task. */
  readonly id: string;
  /** Key of its group. */
  readonly group_key: string;
}

/** State of a fan-out. agent-runtime-package: homeboy/fanout-reconcile-run/v1 and its result. */
export interface FanOutRun extends OpenFields {
  /** `homeboy/fanout-reconcile-run/v1`; that of a reconciliation is `homeboy/generic-fanout-reconcile-result/v1`. */
  readonly schema: string;
  /** Schema of its plan. */
  readonly plan_schema: string;
  /** Marks of whoever ordered it. */
  readonly orchestrator: OpenFields;
  /** Summary of the plan, unless its configuration leaves it out. */
  readonly summary?: OpenFields | undefined;
  /** In the order of the plan. */
  readonly records: readonly FanOutRecord[];
  /** What the providers said, in the order of the plan. */
  readonly outcomes: readonly unknown[];
  /** The records against the plan. */
  readonly reconciliation: FanOutReconciliation;
  /** How it stands: `completed` only when every task succeeded. */
  readonly status: FanOutStatus;
  /** Task that has been running longest, `null` when none is running; absent at the end. */
  readonly current_group?: RunningTask | null | undefined;
  /** Running tasks in the order of their start; absent at the end. */
  readonly current_groups?: readonly RunningTask[] | undefined;
}

/** Progress of a fan-out: one more task has started or ended. agent-runtime-package: homeboy/fanout-reconcile-progress/v1. */
export interface FanOutProgress {
  /** `homeboy/fanout-reconcile-progress/v1`. */
  readonly schema: string;
  /** `started`, or the status of the task's record. */
  readonly status: RecordStatus | "started";
  /** Name of the task. */
  readonly id: string;
  /** Its group. */
  readonly group_key: string;
  /** Position of its group, 1-based, for display: the plan's own index starts at 0. */
  readonly group_index: number;
  /** Groups of the plan. */
  readonly group_count: number;
  /** Kind of the outcome, or its status in the provider's words; empty when there is no outcome. */
  readonly outcome_kind: string;
}
