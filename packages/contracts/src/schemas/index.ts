export { envelopeSchema, isEnvelope } from "./envelope.ts";
export { jsonSchemas } from "./json-schemas.ts";
export { runRecordSchema, runStatusSchema } from "./run-record.ts";
export type { Equal, Flat } from "./schema-for.ts";
export { schemaFor } from "./schema-for.ts";
export { sessionInputSchema } from "./session-input.ts";
export { sessionMessageSchema, transcriptMessageSchema } from "./session-message.ts";
export { sessionReportSchema, usageSchema, wireErrorSchema } from "./session-report.ts";
export { sessionArtifactFileSchema, sessionResultSchema } from "./session-result.ts";
