import { EngineError, type TurnExitReason } from "@switchyard/contracts";

/** The agent's report of how its turn ended. The report is only evidence for the decision of `decideTurn`. */
export type TurnReport =
  | {
      readonly kind: "success";
      /**
       * Text of the agent's result. It shows that the agent worked, and becomes the final message of the turn.
       * `undefined` if the agent reported no text.
       */
      readonly text?: string | undefined;
    }
  | {
      readonly kind: "failure";
      /** Reason for the failure, as reported by the agent. */
      readonly problem: string;
      readonly code?: FailureCode | undefined;
      /** True if the agent reports that a retry would fail too. Default: depends on `code`. */
      readonly isFinal?: boolean | undefined;
    }
  | { readonly kind: "incomplete"; readonly code?: IncompleteCode | undefined };

/** Kinds of failure that an agent can report. See agent-adapter: error kinds. */
export type FailureCode =
  | "adapter.turn_failed"
  | "adapter.response_error"
  | "adapter.session_not_found"
  | "adapter.turn_refused"
  | "adapter.turn_token_limit"
  | "adapter.turn_outcome_unknown";

/** Error codes for a turn that the agent ended before the work was done. */
export type IncompleteCode = "adapter.turn_incomplete" | "adapter.turn_request_limit";

/** Why the adapter ended a turn early. */
export type TurnStop =
  | { readonly kind: "cancelled" }
  | { readonly kind: "turn_timeout" | "silence"; readonly timeoutMs: number };

/** Observations from which {@link decideTurn} decides how a turn ended. See agent-adapter: classify the outcome. */
export interface TurnEvidence {
  /** Why the adapter ended the turn. `undefined` if the adapter did not end it. */
  readonly stop?: TurnStop | undefined;
  /** Question that the agent asks the user. */
  readonly question?: string | undefined;
  /** The agent's last report. */
  readonly report?: TurnReport | undefined;
  /** Error that occurred while reading the process's output. `undefined` if none occurred. */
  readonly readFailure?: unknown;
  /** How the turn's process ended; `undefined` while the process is running. */
  readonly exit?: { readonly exitCode: number; readonly signal?: string | undefined } | undefined;
  /** True if the process printed at least one non-empty line. */
  readonly responded: boolean;
  /** True if model text or a tool call was seen in this turn. */
  readonly worked: boolean;
  /** True if the agent ran over SSH. */
  readonly isRemote?: boolean | undefined;
  /** Command that was started, for error messages. */
  readonly command: string;
  /** Last part of the process's standard error, with secrets masked. */
  readonly stderr: string;
}

/** Decision about how a turn ended. */
export interface TurnVerdict {
  /** How the turn ended. */
  readonly exitReason: TurnExitReason;
  /** Error that prevented completion of the turn. `undefined` if the turn completed. */
  readonly error?: EngineError | undefined;
}

const COMPLETED: TurnVerdict = { exitReason: "turn_completed" };
/** Exit code of `ssh` if the connection failed. */
const CONNECTION_LOST = 255;

function failed(error: EngineError): TurnVerdict {
  return { exitReason: "turn_failed", error };
}

function exited(problem: string, { stderr, readFailure }: TurnEvidence): TurnVerdict {
  const detail = stderr.trim() === "" ? "" : `: ${stderr.trim()}`;
  return failed(new EngineError("adapter.port_exit", { problem: `${problem}${detail}` }, { cause: readFailure }));
}

function stopped(stop: TurnStop): TurnVerdict {
  switch (stop.kind) {
    case "cancelled":
      return { exitReason: "turn_cancelled", error: new EngineError("adapter.turn_cancelled") };
    case "turn_timeout":
      return failed(new EngineError("adapter.turn_timeout", { timeoutMs: stop.timeoutMs }));
    case "silence":
      return failed(new EngineError("adapter.response_timeout", { timeoutMs: stop.timeoutMs }));
  }
}

function reported(report: TurnReport, worked: boolean): TurnVerdict {
  switch (report.kind) {
    case "success":
      return worked || (report.text ?? "").trim() !== "" ? COMPLETED : didNothing();
    case "failure":
      return failed(failureOf(report));
    case "incomplete":
      return failed(new EngineError(report.code ?? "adapter.turn_incomplete"));
  }
}

function failureOf({ code, problem, isFinal }: Extract<TurnReport, { kind: "failure" }>): EngineError {
  return new EngineError(code ?? "adapter.turn_failed", { problem }, { isFinal: isFinal === true });
}

function didNothing(): TurnVerdict {
  return failed(new EngineError("adapter.turn_failed", { problem: "agent exited without producing output" }));
}

/** Decides how a turn ended if the agent reported nothing, from the exit of its process. */
function judgeExit(evidence: TurnEvidence): TurnVerdict {
  const { exit, responded, worked, command, isRemote = false } = evidence;
  if (exit === undefined) return exited("its output ended", evidence);
  const { exitCode, signal } = exit;
  if (signal !== undefined) return exited(`it was ended by ${signal} from outside`, evidence);
  if (exitCode === 127) return failed(new EngineError("adapter.agent_not_found", { command }));
  if (isRemote && exitCode === CONNECTION_LOST) return exited("the connection failed", evidence);
  if (exitCode !== 0 && !responded) return exited(`it exited ${exitCode} before responding`, evidence);
  if (exitCode !== 0) return exited(`exit ${exitCode}`, evidence);
  return worked ? COMPLETED : didNothing();
}

/**
 * Decides how a turn ended. Uses the first of these that is known: a stop by the adapter, a question to the user, the
 * agent's report, unreadable output, the end of the process. A reported success counts only if there is evidence that
 * the agent worked: text, a tool call or a result text. Adapters only provide the evidence. See agent-adapter: classify
 * the outcome; decisions 17 and 31.
 */
export function decideTurn(evidence: TurnEvidence): TurnVerdict {
  const { stop, question, report, readFailure, worked } = evidence;
  if (stop !== undefined) return stopped(stop);
  if (question !== undefined) {
    const error = new EngineError("adapter.turn_input_required", { problem: question });
    return { exitReason: "turn_input_required", error };
  }
  if (report !== undefined) return reported(report, worked);
  if (readFailure !== undefined) return exited("its output could not be read", evidence);
  return judgeExit(evidence);
}
