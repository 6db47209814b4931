import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, messageOf } from "@switchyard/contracts";
import { FILE_MODE } from "../files/file-modes.ts";
import { renderPage } from "../page/render-page.ts";
import type { EvalResults } from "./eval-results.ts";
import { renderJunit } from "./render-junit.ts";

/** Names of the result files of an evaluation. */
export const RESULT_FILES = { json: "results.json", junit: "junit.xml", page: "report.html" } as const;

/** Writes the results as JSON, JUnit XML and HTML, each file atomically. Rejects with `output.unwritable`. */
export async function writeResults(output: string, results: EvalResults): Promise<void> {
  await writeAtomically(join(output, RESULT_FILES.json), [`${JSON.stringify(results, undefined, 2)}\n`]);
  await writeAtomically(join(output, RESULT_FILES.junit), [renderJunit(results)]);
  await writeAtomically(join(output, RESULT_FILES.page), renderPage(results, output));
}

async function writeAtomically(path: string, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
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
