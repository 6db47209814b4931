import { RECONCILE_SUCCESS_WORDS } from "../contract/orchestration.ts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import type { FanOutPlan } from "./fan-out-plan.ts";
import type { FanOutReconciliation, FanOutRecord, FanOutRun, FanOutStatus, RunningTask } from "./fan-out-run.ts";

function isSuccess({ status }: FanOutRecord): boolean {
  return status === "completed";
}

/**
 * Changes a failed task record to `completed` if the status that the provider reported is one of the plan's success
 * statuses. Returns other records unchanged.
 */
function withPlanStatus(record: FanOutRecord, { execution }: FanOutPlan): FanOutRecord {
  const successStatuses: readonly string[] = execution?.success_statuses ?? RECONCILE_SUCCESS_WORDS;
  const { status, native_status: native } = record;
  const isAccepted = status === "failed" && typeof native === "string" && successStatuses.includes(native);
  return isAccepted ? { ...record, status: "completed" } : record;
}

/** Returns the initial comparison of a plan with its task records, when no task has a record yet. */
export function planReconciliation(
  schema: string | undefined,
  counts: { readonly groups: number; readonly tasks: number },
): FanOutReconciliation {
  return {
    schema: schema ?? SCHEMA_IDS.fanout_reconciliation,
    ...{ group_count: counts.groups, task_count: counts.tasks, record_count: 0 },
    ...{ success_count: 0, failure_count: 0, outcome_count: 0, failed_task_ids: [] },
  };
}

/**
 * Returns one record per planned task, in plan order. A task without a record gets one with status `missing_record`.
 */
function recordsInOrder(plan: FanOutPlan, records: Iterable<FanOutRecord>): FanOutRecord[] {
  const known = new Map<string, FanOutRecord>();
  // If a task has several records, the first one counts.
  for (const record of records) if (!known.has(record.id)) known.set(record.id, withPlanStatus(record, plan));
  return plan.task_requests.map(
    ({ id, group_key }) => known.get(id) ?? { id, group_key, status: "missing_record" as const },
  );
}

function reconciliationOf(plan: FanOutPlan, records: readonly FanOutRecord[]): FanOutReconciliation {
  const { schema } = plan.reconciliation;
  const successes = records.filter(isSuccess);
  return {
    schema: typeof schema === "string" ? schema : SCHEMA_IDS.fanout_reconciliation,
    group_count: plan.groups.length,
    task_count: plan.task_requests.length,
    record_count: records.filter(({ status }) => status !== "missing_record").length,
    success_count: successes.length,
    failure_count: records.length - successes.length,
    outcome_count: records.filter(({ outcome }) => outcome !== undefined).length,
    failed_task_ids: records.filter((record) => !isSuccess(record)).map(({ id }) => id),
  };
}

/** Returns the state of a running fan-out from its records. Tasks without a record are pending. */
export function runInProgress(
  plan: FanOutPlan,
  records: readonly FanOutRecord[],
  current: readonly RunningTask[],
): FanOutRun {
  const present = recordsInOrder(plan, records).filter(({ status }) => status !== "missing_record");
  return {
    ...describeRun(plan, present, { schema: SCHEMA_IDS.fanout_run, status: "incomplete" }),
    current_group: current[0] ?? null,
    current_groups: current,
  };
}

function describeRun(
  plan: FanOutPlan,
  records: readonly FanOutRecord[],
  { schema, status }: { schema: string; status: FanOutStatus },
): FanOutRun {
  return {
    ...plan.execution?.base_run,
    schema,
    plan_schema: plan.schema,
    orchestrator: plan.orchestrator,
    ...(plan.execution?.include_summary === false ? {} : { summary: plan.summary }),
    records,
    outcomes: records.flatMap(({ outcome }) => (outcome === undefined ? [] : [outcome])),
    reconciliation: reconciliationOf(plan, records),
    status,
  };
}

/**
 * Compares the task records of a fan-out with its plan. The result has one record per planned task; a task that
 * returned no record gets the status `missing_record`. The result's status is `completed` if all tasks succeeded. See
 * agent-runtime-package: host orchestration.
 */
export function reconcileFanOut(plan: FanOutPlan, records: Iterable<FanOutRecord>): FanOutRun {
  return finalRun(plan, records, plan.execution?.result_schema ?? SCHEMA_IDS.fanout_result);
}

/**
 * Compares task records with the plan at the end of an execution. Works like `reconcileFanOut`, but returns a fan-out
 * run instead of a result.
 */
export function finishedRun(plan: FanOutPlan, records: Iterable<FanOutRecord>): FanOutRun {
  return finalRun(plan, records, SCHEMA_IDS.fanout_run);
}

function finalRun(plan: FanOutPlan, records: Iterable<FanOutRecord>, schema: string): FanOutRun {
  const ordered = recordsInOrder(plan, records);
  const status = ordered.every(isSuccess) ? "completed" : "failed";
  return describeRun(plan, ordered, { schema, status });
}
