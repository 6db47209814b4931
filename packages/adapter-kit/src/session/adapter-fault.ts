import { EngineError, type ErrorCode, messageOf } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { TurnRecorder } from "../turn/turn-recorder.ts";

/**
 * Converts an exception that an adapter's code threw to an `EngineError` with the reason, for the author of the
 * adapter.
 */
export function adapterFault(
  error: unknown,
  { code, problem, masker }: { readonly code: ErrorCode; readonly problem: string; readonly masker: Masker },
): EngineError {
  if (EngineError.is(error)) return error;
  return new EngineError(code, { problem: masker.mask(`${problem}: ${messageOf(error)}`) }, { cause: error });
}

/** Reports a line of output that an adapter failed to parse. Includes the reason if the adapter's code is at fault. */
export function reportUnparsedLine(recorder: TurnRecorder, line: string, error: unknown): void {
  recorder.malformed(line);
  if (!(error instanceof SyntaxError)) recorder.notify(`the adapter failed on a line: ${messageOf(error)}`);
}
