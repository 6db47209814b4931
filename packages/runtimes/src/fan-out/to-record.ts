import { OUTCOME_SUCCESS_WORDS, RECORD_STATUSES } from "../contract/orchestration.ts";
import { isRecord } from "../json/is-record.ts";
import { valueAt } from "../json/value-at.ts";
import type { FanOutPlan, FanOutTask } from "./fan-out-plan.ts";
import type { FanOutRecord, RecordStatus } from "./fan-out-run.ts";

/** Options for creating records. */
export interface RecordOptions {
  /**
   * Dotted path of the outcome within the result of a task's execution. Default: the path in the plan, otherwise
   * `outcome`.
   */
  readonly outcomePath?: string | undefined;
  /** Outcome statuses that count as success. */
  readonly successStatuses?: readonly string[] | undefined;
}

/** Returns options for creating task records. The plan's settings are the defaults. */
export function recordOptionsOf({ execution }: FanOutPlan, options: RecordOptions): RecordOptions {
  const { success_statuses: added = [], outcome_path: path } = execution ?? {};
  const { outcomePath = path, successStatuses = [...OUTCOME_SUCCESS_WORDS, ...added] } = options;
  return { outcomePath, successStatuses };
}

function isRecordStatus(value: unknown): value is RecordStatus {
  return RECORD_STATUSES.some((status) => status === value);
}

function statusOf(
  returned: Record<string, unknown>,
  outcome: unknown,
  successStatuses: readonly string[],
): RecordStatus {
  const { success, outcome_status: outcomeStatus, provider_status: providerStatus } = returned;
  const status = returned["status"] ?? returned["state"];
  if (isRecordStatus(status)) return status;
  if (success === true) return "completed";
  const reportedStatus = isRecord(outcome) ? outcome["status"] : undefined;
  const statuses = [status, reportedStatus, outcomeStatus, providerStatus];
  return statuses.some((one) => typeof one === "string" && successStatuses.includes(one)) ? "completed" : "failed";
}

/**
 * Creates the record of a task from the result of its execution. The result contains an outcome in the field `outcome`,
 * or has a field `status` itself. The outcome in the record preserves the status that the provider reported. See
 * agent-runtime-package: host orchestration contract.
 */
export function toRecord(
  { id, group_key }: Pick<FanOutTask, "id" | "group_key">,
  returned: unknown,
  options: RecordOptions = {},
): FanOutRecord {
  const { outcomePath = "outcome", successStatuses = OUTCOME_SUCCESS_WORDS } = options;
  if (returned === undefined || returned === null) return { id, group_key, status: "missing_record" };
  if (!isRecord(returned))
    return { id, group_key, status: "failed", error_message: "the execution returned no object" };
  const outcome = valueAt(returned, outcomePath);
  const status = statusOf(returned, outcome, successStatuses);
  const returnedStatus = returned["status"];
  const native =
    typeof returnedStatus === "string" && returnedStatus !== "" && !isRecordStatus(returnedStatus)
      ? { native_status: returnedStatus }
      : {};
  return { ...returned, id, group_key, status, ...native, ...(outcome === undefined ? {} : { outcome }) };
}

/** Returns the record of a task whose execution rejected. */
export function toFailedRecord({ id, group_key }: FanOutTask, message: string): FanOutRecord {
  return { id, group_key, status: "failed", error_message: message };
}
