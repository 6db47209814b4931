import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { DIAGNOSTIC_CLASSES } from "../contract/vocabulary.ts";
import type { CommandEnd } from "../execution/run-command.ts";
import type { TaskRequest } from "../task/task-request.ts";

/** Maximum number of characters of output that become the summary. */
const SUMMARY_CHARS = 2_000;

/**
 * Returns the outcome of a command that prints free text. Exit code 0 is success; its output is the summary and the
 * output `stdout`. `undefined` if it did not exit by itself.
 */
export function textOutcome(end: CommandEnd, request: TaskRequest): Record<string, unknown> | undefined {
  if (end.kind !== "exited" || end.result.signal !== undefined || end.result.exitCode === 127) return undefined;
  const { stdout, exitCode } = end.result;
  const said = stdout.trim() === "" ? end.stderr.trim() : stdout.trim();
  const isGood = exitCode === 0;
  const message = `The command ended with code ${exitCode}.`;
  const data = end.stderr.trim() === "" ? {} : { data: { stderr: end.stderr.trim() } };
  return {
    ...{ schema: SCHEMA_IDS.task_outcome, task_id: request.task_id, status: isGood ? "succeeded" : "failed" },
    summary: said === "" ? message : said.slice(-SUMMARY_CHARS),
    diagnostics: isGood ? [] : [{ class: DIAGNOSTIC_CLASSES.execution, message, ...data }],
    // It cannot declare artifacts. Files that do not exist are dropped, and reported as missing if they are required.
    artifacts: (request.artifact_declarations ?? []).flatMap(({ name, path, type }) =>
      path === undefined ? [] : [{ name, path, kind: type ?? "file" }],
    ),
    outputs: { exit_code: exitCode, stdout },
    metadata: {},
    ...(isGood ? {} : { failure_classification: "execution_failed" }),
  };
}
