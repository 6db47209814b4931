import { SCHEMA_IDS } from "../contract/schema-ids.ts";
import { DIAGNOSTIC_CLASSES } from "../contract/vocabulary.ts";
import type { CommandEnd } from "../execution/run-command.ts";
import type { TaskRequest } from "../task/task-request.ts";

/** Maximum length of the summary, in characters. The summary of a longer output is its end. */
const SUMMARY_CHARS = 2_000;

/**
 * Returns the outcome of a command that prints free text. Exit code 0 is success; the printed text becomes the summary
 * and the output value `stdout`. `undefined` if the command could not be started or was terminated.
 */
export function textOutcome(end: CommandEnd, request: TaskRequest): Record<string, unknown> | undefined {
  if (end.kind !== "exited" || end.result.signal !== undefined || end.result.exitCode === 127) return undefined;
  const { stdout, exitCode } = end.result;
  const output = stdout.trim() === "" ? end.stderr.trim() : stdout.trim();
  const isGood = exitCode === 0;
  const message = `The command ended with code ${exitCode}.`;
  const data = end.stderr.trim() === "" ? {} : { data: { stderr: end.stderr.trim() } };
  return {
    ...{ schema: SCHEMA_IDS.task_outcome, task_id: request.task_id, status: isGood ? "succeeded" : "failed" },
    summary: output === "" ? message : output.slice(-SUMMARY_CHARS),
    diagnostics: isGood ? [] : [{ class: DIAGNOSTIC_CLASSES.execution, message, ...data }],
    // A command that prints text cannot list artifacts, so all declared files are listed.
    // Files that do not exist are dropped later, and reported as missing if they are required.
    artifacts: (request.artifact_declarations ?? []).flatMap(({ name, path, type }) =>
      path === undefined ? [] : [{ name, path, kind: type ?? "file" }],
    ),
    outputs: { exit_code: exitCode, stdout },
    metadata: {},
    ...(isGood ? {} : { failure_classification: "execution_failed" }),
  };
}
