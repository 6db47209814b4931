import { z } from "zod";
import { envelopeSchema } from "./envelope.ts";
import { runRecordSchema } from "./run-record.ts";
import { scriptJudgeAnswerSchema, scriptJudgeInputSchema } from "./script-judge.ts";
import { sessionInputSchema } from "./session-input.ts";
import { sessionReportSchema } from "./session-report.ts";
import { sessionResultSchema } from "./session-result.ts";

const PUBLISHED = {
  "session-input": ["SessionInput", sessionInputSchema],
  "session-result": ["SessionResult", sessionResultSchema],
  "session-report": ["SessionReport", sessionReportSchema],
  "run-record": ["RunRecord", runRecordSchema],
  envelope: ["Envelope", envelopeSchema],
  "script-judge-input": ["ScriptJudgeInput", scriptJudgeInputSchema],
  "script-judge-answer": ["ScriptJudgeAnswer", scriptJudgeAnswerSchema],
} as const;

/** Returns the published JSON Schemas (draft 2020-12), by file name without extension. They accept unknown fields. */
export function jsonSchemas(): Readonly<Record<string, unknown>> {
  const entries = Object.entries(PUBLISHED).map(([name, [title, schema]]) => {
    const generated = z.toJSONSchema(schema, { io: "input" });
    return [name, { $id: `urn:switchyard:${name}:1`, title, ...generated }] as const;
  });
  return Object.fromEntries(entries);
}
