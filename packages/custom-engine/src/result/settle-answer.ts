import { EngineError, type SessionResult } from "@switchyard/contracts";
import { modelOfConfig } from "../call/call-input.ts";
import type { Answer, Call } from "../transport/transport.ts";
import { fillResult } from "./fill-result.ts";
import { maskExcerpt } from "./mask-excerpt.ts";
import { maskResult } from "./mask-result.ts";
import { parseResult } from "./parse-result.ts";

/** Exit code of a result that was made up because the engine was stopped by its timeout. */
const TIMED_OUT = 124;
/** Characters of an unreadable answer that are shown. */
const MAX_SHOWN_CHARS = 2000;

/** What a call came to. */
export interface Settled {
  /** The engine's result, or one that tells why there is none. */
  readonly result: SessionResult;
  /** Why the call failed; absent where the result is the engine's own and stands for itself. */
  readonly error?: EngineError | undefined;
}

/**
 * Makes a result of an answer: read, filled up and without secrets. A result that exists is kept also where the call
 * failed; where there is none, one says so with what the engine printed. custom-engine: result contract, error handling.
 */
export function settleAnswer(answer: Answer, call: Call, durationMs: number): Settled {
  const { error, ...given } = call.config.responseFormat === "text" ? readText(answer) : readResult(answer, call);
  const claimed =
    given.result.exit_code === 0 && error !== undefined ? { ...given.result, exit_code: 1 } : given.result;
  const model = call.input.model ?? modelOfConfig(call.config).reference;
  // What it is filled up with is ours: the model that a variable hands over is no secret of the engine's.
  const input = call.masker.maskData(call.input);
  const result = fillResult(maskResult(claimed, call), { engine: call.config.name, model, durationMs, input });
  return error === undefined ? { result } : { result, error: maskError(error, call) };
}

function readText({ text, exitCode, stderr, failure }: Answer): Settled {
  const code = failure?.code === "transport.timeout" ? TIMED_OUT : exitCode;
  return { result: { exit_code: code, final_message: text.trim(), stderr }, error: failure };
}

function readResult(answer: Answer, call: Call): Settled {
  const { text, exitCode, stderr, failure } = answer;
  try {
    const result = parseResult(text);
    const isDenied = result.exit_code === 0 && exitCode !== 0;
    const diagnostics = result.stderr === undefined && stderr !== "" ? { stderr } : {};
    return { result: { ...result, ...diagnostics, ...(isDenied ? { exit_code: exitCode } : {}) }, error: failure };
  } catch (problem) {
    if (!EngineError.is(problem)) throw problem;
    return { result: resultOfNothing(answer, call), error: failure ?? exitError(answer, call) ?? problem };
  }
}

/** A process that failed explains more than the answer it did not give. */
function exitError({ exitCode, endsByCode, stderr }: Answer, { masker }: Call): EngineError | undefined {
  if (endsByCode !== true || exitCode === 0) return undefined;
  const said = stderr.trim().split("\n").at(-1) ?? "";
  const problem = `custom engine command exited ${exitCode}${said === "" ? "" : `: ${maskExcerpt(said, 500, masker)}`}`;
  return new EngineError("transport.failed", { problem });
}

function resultOfNothing({ text, exitCode, stderr, failure }: Answer, { masker }: Call): SessionResult {
  if (failure?.code === "transport.timeout") {
    const words = `No result: the engine was stopped after ${String(failure.details["timeoutMs"])} ms, and this one was synthesized.`;
    return { exit_code: TIMED_OUT, final_message: "", stderr: stderr === "" ? words : `${stderr.trimEnd()}\n${words}` };
  }
  // What cannot be read is the first thing that whoever looks for the reason wants to see.
  const beginning = maskExcerpt(text.trim(), MAX_SHOWN_CHARS, masker);
  const isTold = beginning === "" || stderr.startsWith(beginning);
  const shown = isTold ? "" : `The engine answered: ${beginning}`;
  const diagnostics = [stderr.trimEnd(), shown].filter((part) => part !== "").join("\n");
  return { exit_code: exitCode === 0 ? 1 : exitCode, final_message: "", stderr: diagnostics };
}

/** The same error without secrets in what it says. */
function maskError(error: EngineError, { masker }: Call): EngineError {
  const details = masker.maskData(error.details);
  return details === error.details ? error : new EngineError(error.code, details, { cause: error.cause });
}
