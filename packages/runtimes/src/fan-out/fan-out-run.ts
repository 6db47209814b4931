import type { FANOUT_RUN_STATUSES, RECORD_STATUSES } from "../contract/orchestration.ts";
import type { OpenFields } from "../task/task-request.ts";

/** Status of the record of a fan-out task. See agent-runtime-package: host orchestration contract. */
export type RecordStatus = (typeof RECORD_STATUSES)[number];

/** Status of a fan-out. */
export type FanOutStatus = (typeof FANOUT_RUN_STATUSES)[number];

/** Record that is stored for a planned task. */
export interface FanOutRecord extends OpenFields {
  /** Id of the task. */
  readonly id: string;
  /** Key of the task's group. */
  readonly group_key: string;
  /** Status as the host defines it. The status that the provider reported is in the outcome. */
  readonly status: RecordStatus;
  /** Outcome that the provider returned. */
  readonly outcome?: unknown;
  /** Error message if the task has no outcome. */
  readonly error_message?: string | undefined;
}

/**
 * Comparison of task records with a fan-out plan. See agent-runtime-package:
 * homeboy/generic-fanout-reconcile-reconciliation/v1.
 */
export interface FanOutReconciliation extends OpenFields {
  /** Schema id. Default: `homeboy/generic-fanout-reconcile-reconciliation/v1`. */
  readonly schema: string;
  /** Number of groups in the plan. */
  readonly group_count: number;
  /** Number of tasks in the plan. */
  readonly task_count: number;
  /** Number of tasks with a record. */
  readonly record_count: number;
  /** Number of successful tasks. */
  readonly success_count: number;
  /** Number of failed tasks. */
  readonly failure_count: number;
  /** Number of tasks with an outcome. */
  readonly outcome_count: number;
  /** Ids of failed tasks and tasks without a record, in plan order. */
  readonly failed_task_ids: readonly string[];
}

/** A task that is being executed. */
export interface RunningTask {
  /** Id of the task. */
  readonly id: string;
  /** Key of the task's group. */
  readonly group_key: string;
}

/**
 * State of a fan-out that is running or has ended. See agent-runtime-package: homeboy/fanout-reconcile-run/v1 and its
 * result.
 */
export interface FanOutRun extends OpenFields {
  /**
   * Schema id, as the specification names it: `homeboy/fanout-reconcile-run/v1`. After the records were compared with the
   * plan: `homeboy/generic-fanout-reconcile-result/v1`.
   */
  readonly schema: string;
  /** Schema id of the fan-out's plan. */
  readonly plan_schema: string;
  /** Fields of the orchestrator. */
  readonly orchestrator: OpenFields;
  /** Summary of the plan. `undefined` if the configuration omits it. */
  readonly summary?: OpenFields | undefined;
  /** Records, in plan order. */
  readonly records: readonly FanOutRecord[];
  /** Outcomes of the providers, in plan order. */
  readonly outcomes: readonly unknown[];
  /** Comparison of the task records with the plan. */
  readonly reconciliation: FanOutReconciliation;
  /** Status of the fan-out; `completed` only if every task succeeded. */
  readonly status: FanOutStatus;
  /** Task that has been running longest. `null` if no task is running; `undefined` after the fan-out has ended. */
  readonly current_group?: RunningTask | null | undefined;
  /** Running tasks, in the order of their start. `undefined` after the fan-out has ended. */
  readonly current_groups?: readonly RunningTask[] | undefined;
}

/**
 * Progress event of a fan-out: a task has started or ended. See agent-runtime-package:
 * homeboy/fanout-reconcile-progress/v1.
 */
export interface FanOutProgress {
  /** Schema id: `homeboy/fanout-reconcile-progress/v1`. */
  readonly schema: string;
  /** `started` while the task runs, then the status of the task's record. */
  readonly status: RecordStatus | "started";
  /** Id of the task. */
  readonly id: string;
  /** Key of the task's group. */
  readonly group_key: string;
  /** 1-based index of the task's group, for display. The index in the plan is 0-based. */
  readonly group_index: number;
  /** Number of groups in the plan. */
  readonly group_count: number;
  /**
   * Kind of the outcome; the status that the provider reported if the outcome has no kind; empty if there is no
   * outcome.
   */
  readonly outcome_kind: string;
}
