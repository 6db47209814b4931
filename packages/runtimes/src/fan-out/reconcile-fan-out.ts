import { RECONCILE_SUCCESS_WORDS } from "../contract/orchestration.ts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import type { FanOutPlan } from "./fan-out-plan.ts";
import type { FanOutReconciliation, FanOutRecord, FanOutRun, FanOutStatus, RunningTask } from "./fan-out-run.ts";

function isSuccess({ status }: FanOutRecord): boolean {
  return status === "completed";
}

/** A record whose own status counts as success by the plan is completed. */
function inPlanWords(record: FanOutRecord, { execution }: FanOutPlan): FanOutRecord {
  const words: readonly string[] = execution?.success_statuses ?? RECONCILE_SUCCESS_WORDS;
  const { status, native_status: native } = record;
  const isAccepted = status === "failed" && typeof native === "string" && words.includes(native);
  return isAccepted ? { ...record, status: "completed" } : record;
}

/** The reconciliation of a plan without any record. */
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

/** The records of planned tasks in the order of the plan, one of each; a task without one is `missing_record`. */
function recordsInOrder(plan: FanOutPlan, records: Iterable<FanOutRecord>): FanOutRecord[] {
  const known = new Map<string, FanOutRecord>();
  // The first record of a task stays.
  for (const record of records) if (!known.has(record.id)) known.set(record.id, inPlanWords(record, plan));
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

/** A run of a plan as its records say that it stands; tasks without one have not been done yet. */
export function runInProgress(
  plan: FanOutPlan,
  records: readonly FanOutRecord[],
  current: readonly RunningTask[],
): FanOutRun {
  const there = recordsInOrder(plan, records).filter(({ status }) => status !== "missing_record");
  return {
    ...describeRun(plan, there, { schema: SCHEMA_IDS.fanout_run, status: "incomplete" }),
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
 * Compares the records of a run with its plan. In the result each planned task has one record, `missing_record` if no
 * execution returned one, and the status is `completed` if all of them succeeded. agent-runtime-package: host
 * orchestration.
 */
export function reconcileFanOut(plan: FanOutPlan, records: Iterable<FanOutRecord>): FanOutRun {
  return finalRun(plan, records, plan.execution?.result_schema ?? SCHEMA_IDS.fanout_result);
}

/** The same at the end of an execution, which is a run and not yet a result. */
export function finishedRun(plan: FanOutPlan, records: Iterable<FanOutRecord>): FanOutRun {
  return finalRun(plan, records, SCHEMA_IDS.fanout_run);
}

function finalRun(plan: FanOutPlan, records: Iterable<FanOutRecord>, schema: string): FanOutRun {
  const ordered = recordsInOrder(plan, records);
  const status = ordered.every(isSuccess) ? "completed" : "failed";
  return describeRun(plan, ordered, { schema, status });
}
