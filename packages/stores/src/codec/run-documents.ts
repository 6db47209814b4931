import { EngineError, type RunRecord, type RunRequest, type SessionReport } from "@switchyard/contracts";
import { openDocument } from "./sealed-text.ts";

const MAX_PROBLEMS = 5;

/** Where a document comes from. */
export interface DocumentSource {
  /** Run it belongs to. */
  readonly runId: string;
  /** Path or address, for errors. */
  readonly path: string;
}

/** What is used of a schema. */
interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: readonly Issue[] } };
}
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A document that cannot be used, as the error that says so. */
export function malformedRecord(path: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("run.malformed_record", { path, problem }, { cause });
}

function describeIssues(issues: readonly Issue[]): string {
  const named = issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => `${path.map(String).join(".")}: ${message}`);
  const more = issues.length - named.length;
  return more > 0 ? `${named.join("; ")}; and ${more} more` : named.join("; ");
}

function parse<T>(text: string | Uint8Array, path: string, schema: Schema<T>): T {
  const opened = openDocument(text);
  if (opened.kind === "newer") {
    throw malformedRecord(path, `it has the newer format ${opened.format}; read it with a newer release`);
  }
  if (opened.kind === "damaged") throw malformedRecord(path, opened.problem);
  const parsed = schema.safeParse(opened.value);
  if (!parsed.success) throw malformedRecord(path, describeIssues(parsed.error.issues));
  return parsed.data;
}

/** The record in a sealed document. Rejects with `run.malformed_record`. */
export async function parseRunRecord(text: string | Uint8Array, { path, runId }: DocumentSource): Promise<RunRecord> {
  // The schemas take long to load, and a run that is only written needs none.
  const { runRecordSchema } = await import("@switchyard/contracts/schemas");
  const record = parse(text, path, runRecordSchema);
  if (record.run_id !== runId) throw malformedRecord(path, `it is the record of the run ${record.run_id}`);
  return record;
}

/** The request in a sealed document. Rejects with `run.malformed_record`. */
export async function parseRunRequest(text: string | Uint8Array, { path }: DocumentSource): Promise<RunRequest> {
  const { runRequestSchema } = await import("@switchyard/contracts/schemas");
  return parse(text, path, runRequestSchema);
}

/** The report in a sealed document. Rejects with `run.malformed_record`. */
export async function parseSessionReport(text: string | Uint8Array, source: DocumentSource): Promise<SessionReport> {
  const { sessionReportSchema } = await import("@switchyard/contracts/schemas");
  const report = parse(text, source.path, sessionReportSchema);
  if (report.runId !== source.runId) throw malformedRecord(source.path, `it is the report of the run ${report.runId}`);
  return report;
}
