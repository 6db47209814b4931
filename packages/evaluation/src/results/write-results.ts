import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, messageOf } from "@switchyard/contracts";
import { FILE_MODE } from "../files/file-modes.ts";
import { renderPage } from "../page/render-page.ts";
import type { ReportFormat } from "../suite/eval-suite.ts";
import { HISTORY_FILE, type HistoryEntry, readHistory, toHistoryEntry } from "./eval-history.ts";
import type { EvalResults } from "./eval-results.ts";
import { renderJunit } from "./render-junit.ts";

/** Names of the result files of an evaluation. */
export const RESULT_FILES = { json: "results.json", junit: "junit.xml", page: "report.html" } as const;

/** All result files, in the order in which they are written. */
const ALL: readonly ReportFormat[] = ["json", "junit", "html"];

/**
 * Writes the results as JSON, JUnit XML and HTML, or only in the given formats, each file atomically. A file of another
 * format that an earlier process wrote is removed. Adds the results to the history of the folder. Rejects with
 * `output.unwritable`.
 */
export async function writeResults(
  output: string,
  results: EvalResults,
  formats: readonly ReportFormat[] = ALL,
): Promise<void> {
  const history = await writeHistory(output, results);
  const write: Readonly<Record<ReportFormat, () => Promise<void>>> = {
    json: () => writeAtomically(pathOf(output, "json"), [`${JSON.stringify(results, undefined, 2)}\n`]),
    junit: () => writeAtomically(pathOf(output, "junit"), [renderJunit(results)]),
    html: () => writeAtomically(pathOf(output, "html"), renderPage(results, output, history)),
  };
  for (const format of ALL) {
    if (formats.includes(format)) await write[format]();
    else await rm(pathOf(output, format), { force: true });
  }
}

/** Adds the results of an evaluation to its history. Resolves with all entries of the history, the oldest first. */
async function writeHistory(output: string, results: EvalResults): Promise<HistoryEntry[]> {
  const earlier = await readHistory(output, results);
  const entry = toHistoryEntry(results);
  const history = entry.cells.length === 0 ? earlier : [...earlier, entry];
  const lines = history.map((one) => `${JSON.stringify(one)}\n`);
  await writeAtomically(join(output, HISTORY_FILE), lines);
  return history.filter(({ name }) => name === results.name);
}

function pathOf(output: string, format: ReportFormat): string {
  return join(output, format === "html" ? RESULT_FILES.page : RESULT_FILES[format]);
}

/** Writes a file so that readers see either its old or its new content. Rejects with `output.unwritable`. */
export async function writeAtomically(path: string, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, "wx", FILE_MODE);
    try {
      for await (const chunk of chunks) await file.appendFile(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new EngineError("output.unwritable", { path, problem: messageOf(error) }, { cause: error });
  }
}
