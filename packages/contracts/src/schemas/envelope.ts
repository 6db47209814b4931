import { z } from "zod";
import type { Envelope } from "../events/envelope.ts";
import { isEventType } from "../events/event-table.ts";

const header = z.object({
  id: z.string().min(1).describe("Unique id."),
  type: z.string().min(1).describe("Name of the event, from the event table."),
  subject: z.string().min(1).max(1024).describe("Routing key."),
  time: z.string().describe("When it was published, ISO 8601."),
  seq: z.number().int().positive().optional().describe("1-based number within the run; only stored events carry one."),
  attempt: z.number().int().positive().describe("1-based attempt of the run."),
  source: z.string().optional().describe("Who published it."),
  trace_id: z.string().optional().describe("Trace it belongs to."),
  span_id: z.string().optional().describe("Span it belongs to."),
  headers: z.record(z.string(), z.string()).describe("Routing marks."),
  payload: z.looseObject({}).describe("What happened; its fields are those of the event table."),
});

/** Schema of `Envelope`. Of the payload, only the type `object` is checked, because newer releases may add fields. */
export const envelopeSchema: z.ZodType = header;

/** Returns true if a value is an envelope of a known event type. */
export function isEnvelope(value: unknown): value is Envelope {
  const parsed = header.safeParse(value);
  return parsed.success && isEventType(parsed.data.type);
}
