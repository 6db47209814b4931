import { DIAGNOSTIC_CLASSES, type FailureClassification } from "../contract/vocabulary.ts";
import { isRecord } from "../json/is-record.ts";
import { parseDocument } from "../json/parse-document.ts";
import type { TaskDiagnostic } from "../task/task-outcome.ts";
import type { HostFailure } from "./failed-outcome.ts";
import type { CommandEnd } from "./run-command.ts";

/** Outcome document that a command printed, or the failure if the command printed none. */
export type ReadOutcome =
  | { readonly kind: "outcome"; readonly document: Record<string, unknown> }
  | {
      readonly kind: "failure";
      readonly failure: HostFailure;
      /** Outcome document that the command printed before it failed. Only its artifacts are used. */
      readonly partial?: Record<string, unknown> | undefined;
    };

/** Limits that applied to the command, used in failure messages. */
export interface ReadOutcomeOptions {
  /** Time limit of the command, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum time without output, in milliseconds. `undefined` if there is no limit. */
  readonly livenessMs?: number | undefined;
}

/**
 * Parses the outcome document that a command printed. Uses only the command's exit status and standard output. See
 * agent-runtime-package: provider command contract.
 */
export function readOutcome(end: CommandEnd, { timeoutMs, livenessMs }: ReadOutcomeOptions): ReadOutcome {
  switch (end.kind) {
    case "not_started": {
      const failedTo = end.isMissing ? DIAGNOSTIC_CLASSES.unavailable : DIAGNOSTIC_CLASSES.spawn;
      return failure("provider", end.problem, [setup(), { class: failedTo, message: end.problem }]);
    }
    case "timed_out": {
      const summary = `The command did not finish within ${timeoutMs} ms.`;
      const diagnostics = [{ class: DIAGNOSTIC_CLASSES.timeout, message: summary, ...tail(end.stderr) }];
      return {
        ...{ kind: "failure", failure: { status: "timeout", classification: "timeout", summary, diagnostics } },
        partial: documentIn(end.stdout),
      };
    }
    case "stalled": {
      const summary = `The command printed nothing for ${livenessMs ?? 0} ms.`;
      const diagnostics = [{ class: DIAGNOSTIC_CLASSES.stalled, message: summary, ...tail(end.stderr) }];
      return { ...failure("stalled", summary, diagnostics), partial: documentIn(end.stdout) };
    }
    case "stopped": {
      const summary = "The task was cancelled.";
      const diagnostics = [{ class: DIAGNOSTIC_CLASSES.cancelled, message: summary, ...tail(end.stderr) }];
      return {
        ...{ kind: "failure", failure: { status: "cancelled", classification: "unknown", summary, diagnostics } },
        partial: documentIn(end.stdout),
      };
    }
    case "exited":
      return readExited(end);
    default:
      return end satisfies never;
  }
}

function readExited({ result, stderr, isCut }: Extract<CommandEnd, { kind: "exited" }>): ReadOutcome {
  const { stdout, exitCode, signal } = result;
  if (signal !== undefined) {
    return failure("provider", `The signal ${signal} ended the command.`, [
      { class: DIAGNOSTIC_CLASSES.signal, message: `It was ended by ${signal}.`, ...tail(stderr) },
    ]);
  }
  if (exitCode === 127 && stdout.trim() === "") {
    return failure("provider", "The command was not found.", [
      { class: DIAGNOSTIC_CLASSES.unavailable, message: "The shell did not find the command.", ...tail(stderr) },
    ]);
  }
  const document = documentIn(stdout);
  if (exitCode !== 0) {
    const summary = `The command ended with code ${exitCode}.`;
    const written = document === undefined ? {} : { data: { outcome: document } };
    const diagnostics = [
      { class: DIAGNOSTIC_CLASSES.exit, message: summary, ...written },
      ...(stderr === "" ? [] : [{ class: DIAGNOSTIC_CLASSES.execution, message: stderr.trim() }]),
    ];
    return failure("provider", summary, diagnostics);
  }
  if (isCut) {
    const summary = "The command printed more than an outcome may have.";
    return failure("provider", summary, [{ class: DIAGNOSTIC_CLASSES.too_large, message: summary }]);
  }
  if (stdout.trim() === "") {
    const summary = "The command printed no outcome.";
    return failure("provider", summary, [{ class: DIAGNOSTIC_CLASSES.empty, message: summary, ...tail(stderr) }]);
  }
  if (document !== undefined) return { kind: "outcome", document };
  const summary = "The command printed something else than one JSON outcome.";
  const parsed = parseDocument(stdout.trim());
  const position = parsed.kind === "malformed" ? ` at line ${parsed.line}, column ${parsed.column}` : "";
  return failure("provider", summary, [
    {
      class: DIAGNOSTIC_CLASSES.malformed,
      message: `Standard output is not one JSON object${position}.`,
      ...tail(stderr),
    },
  ]);
}

function documentIn(stdout: string): Record<string, unknown> | undefined {
  const parsed = parseDocument(stdout.trim());
  return parsed.kind === "parsed" && isRecord(parsed.value) ? parsed.value : undefined;
}

function setup(): TaskDiagnostic {
  return { class: DIAGNOSTIC_CLASSES.setup, message: "The provider's command could not be started." };
}

function tail(stderr: string): { data?: { stderr: string } } {
  return stderr.trim() === "" ? {} : { data: { stderr: stderr.trim() } };
}

function failure(
  classification: FailureClassification,
  summary: string,
  diagnostics: readonly TaskDiagnostic[],
): Extract<ReadOutcome, { kind: "failure" }> {
  return { kind: "failure", failure: { status: "provider_error", classification, summary, diagnostics } };
}
