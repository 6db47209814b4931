import { EngineError } from "@switchyard/contracts";
import { z } from "zod";
import { describeIssues } from "../json/describe-issues.ts";
import type { FanOutRecord } from "./fan-out-run.ts";
import { firstScalar } from "./first-scalar.ts";
import { toRecord } from "./to-record.ts";

const recordFields = z.looseObject({
  id: z.string().optional(),
  task_id: z.string().optional(),
  group_key: z.string().optional(),
  status: z.string().optional(),
  outcome: z.unknown().optional(),
  error_message: z.string().optional(),
});

const recordSchema: z.ZodType<FanOutRecord> = recordFields.transform((fields, context) => {
  const id = firstScalar(fields.id, fields.task_id, fields.group_key);
  if (id === undefined) context.addIssue({ code: "custom", message: "it has no id" });
  return toRecord({ id: id ?? "", group_key: fields.group_key ?? "" }, fields);
});

const earlierRun: z.ZodType<{ records: readonly FanOutRecord[] }> = z.preprocess(
  (data) => (Array.isArray(data) ? { records: data } : data),
  z.looseObject({ records: z.array(recordSchema).readonly() }),
);

/**
 * Parses the records of a complete or incomplete fan-out run, or a list of records. `path` names the document in error
 * messages. A status that is not a record status, such as `succeeded`, becomes `completed` if the record reports
 * success, otherwise `failed`. Throws `input.invalid`.
 */
export function parseFanOutRecords(data: unknown, path = "the run"): readonly FanOutRecord[] {
  const parsed = earlierRun.safeParse(data, { reportInput: true });
  if (parsed.success) return parsed.data.records;
  const problem = describeIssues(parsed.error.issues).join("; ");
  throw new EngineError("input.invalid", { path, expected: "run of a fan-out", problem });
}
