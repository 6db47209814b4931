import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { DIAGNOSTIC_CLASSES } from "../contract/vocabulary.ts";
import type { CommandEnd } from "../execution/run-command.ts";
import type { TaskRequest } from "../task/task-request.ts";

/** Characters of what a command said that become its summary. */
const SUMMARY_CHARS = 2_000;

/**
 * The outcome of a command that knows nothing of outcomes, by its exit code alone: 0 is success, and what it said is
 * the summary and the output `stdout`. Nothing where it did not come to an end of its own.
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
    // It cannot name what it made; what is not there is dropped, and missed where it is required.
    artifacts: (request.artifact_declarations ?? []).flatMap(({ name, path, type }) =>
      path === undefined ? [] : [{ name, path, kind: type ?? "file" }],
    ),
    outputs: { exit_code: exitCode, stdout },
    metadata: {},
    ...(isGood ? {} : { failure_classification: "execution_failed" }),
  };
}
