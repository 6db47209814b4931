import { OUTCOME_SUCCESS_WORDS, RECORD_STATUSES } from "../contract/orchestration.ts";
import { isRecord } from "../json/is-record.ts";
import { valueAt } from "../json/value-at.ts";
import type { FanOutTask } from "./fan-out-plan.ts";
import type { FanOutRecord, RecordStatus } from "./fan-out-run.ts";

/** How records are made of what executions give. */
export interface RecordOptions {
  /** Dotted path of the outcome in what an execution gives; `outcome` by default. */
  readonly outcomePath?: string | undefined;
  /** Words of an outcome that count as success. */
  readonly successStatuses?: readonly string[] | undefined;
}

function isRecordStatus(value: unknown): value is RecordStatus {
  return RECORD_STATUSES.some((status) => status === value);
}

function statusOf(given: Record<string, unknown>, outcome: unknown, successWords: readonly string[]): RecordStatus {
  const { status, success } = given;
  if (isRecordStatus(status)) return status;
  if (success === true || (typeof status === "string" && successWords.includes(status))) return "completed";
  const said = isRecord(outcome) ? outcome["status"] : undefined;
  return typeof said === "string" && successWords.includes(said) ? "completed" : "failed";
}

/**
 * The record of what an execution gave: an object with the outcome in its field `outcome`, or with a status of its own.
 * The provider's status stays in the outcome. agent-runtime-package: host orchestration contract.
 */
export function toRecord({ id, group_key }: FanOutTask, given: unknown, options: RecordOptions = {}): FanOutRecord {
  const { outcomePath = "outcome", successStatuses = OUTCOME_SUCCESS_WORDS } = options;
  if (given === undefined || given === null) return { id, group_key, status: "missing_record" };
  if (!isRecord(given)) return { id, group_key, status: "failed", error_message: "the execution gave no object" };
  const outcome = valueAt(given, outcomePath);
  const status = statusOf(given, outcome, successStatuses);
  return { ...given, id, group_key, status, ...(outcome === undefined ? {} : { outcome }) };
}

/** The record of an execution that failed without giving anything. */
export function toFailedRecord({ id, group_key }: FanOutTask, message: string): FanOutRecord {
  return { id, group_key, status: "failed", error_message: message };
}
