import { randomUUID } from "node:crypto";
import { access, constants, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { SessionReport, SessionResult } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { checkSessionResult } from "../input/check-document.ts";
import { fileProblem } from "../input/read-json.ts";

/**
 * The result that a program gets: the engine's own, or one that says why there is none, so that whoever started the
 * command can always read one.
 */
export function resultOf(report: SessionReport): SessionResult {
  if (report.result !== undefined) return report.result;
  const { error } = report;
  return {
    exit_code: report.status === "completed" ? 0 : 1,
    final_message: "",
    engine: report.engine,
    ...(report.model === undefined ? {} : { model: report.model }),
    duration_ms: report.timing.durationMs,
    ...(error === undefined ? {} : { stderr: `${error.message} ${error.remedy}` }),
  };
}

/** Throws `output.unwritable` unless a file can be written there: asked before the run, not after it. */
export async function assertWritable(path: string): Promise<void> {
  try {
    await access(dirname(resolve(path)), constants.W_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new EngineError("output.unwritable", { path, problem: "it is a folder" });
}

/** Writes a result as JSON: the file is whole or not there. Throws `output.unwritable`. */
export async function writeResult(path: string, result: SessionResult): Promise<void> {
  const checked = checkSessionResult(result);
  if (!checked.valid) {
    const problem = `the engine's result is not a valid SessionResult: ${checked.problems.join("; ")}`;
    throw new EngineError("output.unwritable", { path, problem });
  }
  const target = resolve(path);
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, "wx", 0o666);
    try {
      await file.writeFile(`${JSON.stringify(checked.value, undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): EngineError {
  return new EngineError("output.unwritable", { path, problem: fileProblem(error) }, { cause: error });
}
