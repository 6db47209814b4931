import { EngineError, type RunRecord, type RunRequest, type SessionReport } from "@switchyard/contracts";
import { isRecord } from "./encode-value.ts";
import { openDocument, sealDocument } from "./sealed-text.ts";

const MAX_PROBLEMS = 5;

/** Source of a document. */
export interface DocumentSource {
  /** Id of the run that the document belongs to. */
  readonly runId: string;
  /** Path or URL, for error messages. */
  readonly path: string;
}

/** The members of a zod schema that this file uses. */
interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: readonly Issue[] } };
}
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Returns the error for a stored document that is invalid. */
export function malformedRecord(path: string, problem: string, cause?: unknown): EngineError {
  return new EngineError("run.malformed_record", { path, problem }, { cause });
}

function describeIssues(issues: readonly Issue[]): string {
  const named = issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => `${path.map(String).join(".")}: ${message}`);
  const more = issues.length - named.length;
  return more > 0 ? `${named.join("; ")}; and ${more} more` : named.join("; ");
}

function open(text: string | Uint8Array, path: string): unknown {
  const opened = openDocument(text);
  if (opened.kind === "newer") throw new EngineError("store.newer_format", { path, format: opened.format });
  if (opened.kind === "damaged") throw malformedRecord(path, opened.problem);
  return opened.value;
}

function parse<T>(value: unknown, path: string, schema: Schema<T>): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw malformedRecord(path, describeIssues(parsed.error.issues));
  return parsed.data;
}

type Schemas = typeof import("@switchyard/contracts/schemas");
let schemas: Schemas | undefined;

/**
 * Imports the schemas when they are first needed, because they load slowly and writing does not need them. The module is
 * remembered, because an import expression takes time even if the module is loaded.
 */
async function importSchemas(): Promise<Schemas> {
  schemas ??= await import("@switchyard/contracts/schemas");
  return schemas;
}

/**
 * Parses the document with a run's record and verifies its checksum. Rejects with `run.malformed_record` or
 * `store.newer_format`.
 */
export async function parseRunRecord(text: string | Uint8Array, { path, runId }: DocumentSource): Promise<RunRecord> {
  const { runRecordSchema } = await importSchemas();
  const record = parse(open(text, path), path, runRecordSchema);
  if (record.run_id !== runId) throw malformedRecord(path, `it is the record of the run ${record.run_id}`);
  return record;
}

/**
 * Returns the document that stores a run's request, with checksum. It contains the run id, so that it cannot be
 * confused with the request of another run.
 */
export function sealRunRequest(runId: string, request: RunRequest): string {
  return sealDocument({ run_id: runId, ...request });
}

/**
 * Parses a run's request from a document that `sealRunRequest` created. Rejects with `run.malformed_record` or
 * `store.newer_format`.
 */
export async function parseRunRequest(text: string | Uint8Array, { path, runId }: DocumentSource): Promise<RunRequest> {
  const { runRequestSchema } = await importSchemas();
  const value = open(text, path);
  const request = parse(value, path, runRequestSchema);
  const named = isRecord(value) ? value["run_id"] : undefined;
  if (named !== runId) throw malformedRecord(path, `it is the request of ${describeRun(named)}`);
  return request;
}

function describeRun(runId: unknown): string {
  return typeof runId === "string" ? `the run ${runId}` : "no run";
}

/**
 * Parses the document with a run's report and verifies its checksum. Rejects with `run.malformed_record` or
 * `store.newer_format`.
 */
export async function parseSessionReport(text: string | Uint8Array, source: DocumentSource): Promise<SessionReport> {
  const { sessionReportSchema } = await importSchemas();
  const report = parse(open(text, source.path), source.path, sessionReportSchema);
  if (report.runId !== source.runId) throw malformedRecord(source.path, `it is the report of the run ${report.runId}`);
  return report;
}
