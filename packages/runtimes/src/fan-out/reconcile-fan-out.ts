import { RECONCILE_SUCCESS_WORDS } from "../contract/orchestration.ts";
import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import type { FanOutPlan } from "./fan-out-plan.ts";
import type { FanOutReconciliation, FanOutRecord, FanOutRun, FanOutStatus } from "./fan-out-run.ts";

function isSuccess({ status }: FanOutRecord): boolean {
  return RECONCILE_SUCCESS_WORDS.some((word) => word === status);
}

/** The records of planned tasks in the order of the plan, one of each; a task without one is `missing_record`. */
function recordsInOrder(plan: FanOutPlan, records: Iterable<FanOutRecord>): FanOutRecord[] {
  const known = new Map<string, FanOutRecord>();
  // The first record of a task stays.
  for (const record of records) if (!known.has(record.id)) known.set(record.id, record);
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
  current: readonly string[],
): FanOutRun {
  const last = current.at(-1);
  const there = recordsInOrder(plan, records).filter(({ status }) => status !== "missing_record");
  return {
    ...describeRun(plan, there, { schema: SCHEMA_IDS.fanout_run, status: "incomplete" }),
    ...(last === undefined ? {} : { current_group: last }),
    current_groups: current,
  };
}

function describeRun(
  plan: FanOutPlan,
  records: readonly FanOutRecord[],
  { schema, status }: { schema: string; status: FanOutStatus },
): FanOutRun {
  return {
    schema,
    plan_schema: plan.schema,
    orchestrator: plan.orchestrator,
    summary: plan.summary,
    records,
    outcomes: records.flatMap(({ outcome }) => (outcome === undefined ? [] : [outcome])),
    reconciliation: reconciliationOf(plan, records),
    status,
  };
}

/**
 * Holds the records of a run against its plan: each planned task has one record in the end, `missing_record` where no
 * execution gave one, and the run is `completed` when all of them succeeded. agent-runtime-package: host orchestration.
 */
export function reconcileFanOut(plan: FanOutPlan, records: Iterable<FanOutRecord>): FanOutRun {
  const ordered = recordsInOrder(plan, records);
  const status = ordered.every(isSuccess) ? "completed" : "failed";
  return describeRun(plan, ordered, { schema: SCHEMA_IDS.fanout_result, status });
}
