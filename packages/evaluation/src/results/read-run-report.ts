import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SessionReport } from "@switchyard/contracts";
import { isRecord } from "../files/is-record.ts";
import type { TrialResult } from "./trial-result.ts";

/** Maximum size of a session report, in bytes. Larger reports are not read. */
const MAX_REPORT_BYTES = 16 * 1024 * 1024;

/**
 * Reads the result and the workspace changes in the session report of a run. Resolves with `undefined` if the report is
 * missing, unreadable or too large.
 */
export async function readRunReport(
  { run_folder: folder }: Pick<TrialResult, "run_folder">,
  output: string,
): Promise<Pick<SessionReport, "result" | "workspaceDiff"> | undefined> {
  if (folder === undefined) return undefined;
  const path = join(output, folder, "report.json");
  try {
    if ((await stat(path)).size > MAX_REPORT_BYTES) return undefined;
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    if (!isRecord(value)) return undefined;
    const { sessionResultSchema } = await import("@switchyard/contracts/schemas");
    const result = sessionResultSchema.safeParse(value["result"]);
    const diff = value["workspaceDiff"];
    return {
      ...(result.success ? { result: result.data } : {}),
      ...(typeof diff === "string" ? { workspaceDiff: diff } : {}),
    };
  } catch {
    // The report may have been deleted since the trial. The trial result alone is enough.
    return undefined;
  }
}
