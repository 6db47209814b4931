import { EngineError, type SessionResult } from "@switchyard/contracts";
import { modelOfConfig } from "../call/call-input.ts";
import type { Call, TransportResponse } from "../transport/transport.ts";
import { fillResult } from "./fill-result.ts";
import { maskExcerpt } from "./mask-excerpt.ts";
import { maskResult } from "./mask-result.ts";
import { parseResult } from "./parse-result.ts";

/** Exit code in the result that is created if the engine timed out. */
const TIMED_OUT = 124;
/** Maximum number of characters of an unreadable response that are shown. */
const MAX_SHOWN_CHARS = 2000;

/** Outcome of a call. */
export interface CallOutcome {
  /** The engine's result, or a result that states why the engine returned none. */
  readonly result: SessionResult;
  /** Why the call failed; `undefined` if the engine's own result describes the outcome. */
  readonly error?: EngineError | undefined;
}

/**
 * Converts an engine's response to a result: parses it, fills in omitted fields and masks secrets. A valid result is
 * used even if the call failed. Without a valid result, a result is created from the engine's output. See
 * custom-engine: result contract, error handling.
 */
export function toCallOutcome(answer: TransportResponse, call: Call, durationMs: number): CallOutcome {
  const { error, ...given } = call.config.responseFormat === "text" ? readText(answer) : readResult(answer, call);
  const claimed =
    given.result.exit_code === 0 && error !== undefined ? { ...given.result, exit_code: 1 } : given.result;
  const model = call.input.model ?? modelOfConfig(call.config).reference;
  // Secrets are masked before omitted fields are filled in. Filled-in values such as the model are not secret.
  const input = call.masker.maskData(call.input);
  const result = fillResult(maskResult(claimed, call), { engine: call.config.name, model, durationMs, input });
  return error === undefined ? { result } : { result, error: maskError(error, call) };
}

function readText({ text, exitCode, stderr, failure }: TransportResponse): CallOutcome {
  const code = failure?.code === "transport.timeout" ? TIMED_OUT : exitCode;
  return { result: { exit_code: code, final_message: text.trim(), stderr }, error: failure };
}

function readResult(answer: TransportResponse, call: Call): CallOutcome {
  const { text, exitCode, stderr, failure } = answer;
  try {
    const result = parseResult(text);
    const isDenied = result.exit_code === 0 && exitCode !== 0;
    const diagnostics = result.stderr === undefined && stderr !== "" ? { stderr } : {};
    return { result: { ...result, ...diagnostics, ...(isDenied ? { exit_code: exitCode } : {}) }, error: failure };
  } catch (problem) {
    if (!EngineError.is(problem)) throw problem;
    return { result: emptyResult(answer, call), error: failure ?? exitError(answer, call) ?? problem };
  }
}

/** Returns the error of a failed process. It explains more than an error about the missing response. */
function exitError({ exitCode, endsByCode, stderr }: TransportResponse, { masker }: Call): EngineError | undefined {
  if (endsByCode !== true || exitCode === 0) return undefined;
  const lastLine = stderr.trim().split("\n").at(-1) ?? "";
  const problem = `custom engine command exited ${exitCode}${lastLine === "" ? "" : `: ${maskExcerpt(lastLine, 500, masker)}`}`;
  return new EngineError("transport.failed", { problem });
}

function emptyResult({ text, exitCode, stderr, failure }: TransportResponse, { masker }: Call): SessionResult {
  if (failure?.code === "transport.timeout") {
    const summary = `No result: the engine was stopped after ${String(failure.details["timeoutMs"])} ms, and this one was synthesized.`;
    return {
      exit_code: TIMED_OUT,
      final_message: "",
      stderr: stderr === "" ? summary : `${stderr.trimEnd()}\n${summary}`,
    };
  }
  // An unreadable response comes first, because it is the most useful for finding the cause.
  const beginning = maskExcerpt(text.trim(), MAX_SHOWN_CHARS, masker);
  const isRepeated = beginning === "" || stderr.startsWith(beginning);
  const shown = isRepeated ? "" : `The engine answered: ${beginning}`;
  const diagnostics = [stderr.trimEnd(), shown].filter((part) => part !== "").join("\n");
  return { exit_code: exitCode === 0 ? 1 : exitCode, final_message: "", stderr: diagnostics };
}

/** Returns an error with secrets masked in its details. */
function maskError(error: EngineError, { masker }: Call): EngineError {
  const details = masker.maskData(error.details);
  return details === error.details ? error : new EngineError(error.code, details, { cause: error.cause });
}
