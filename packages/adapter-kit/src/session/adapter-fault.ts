import { EngineError, type ErrorCode, messageOf } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { TurnRecorder } from "../turn/turn-recorder.ts";

/** Converts an exception of an adapter's code to an `EngineError` with its reason, for the author of the adapter. */
export function adapterFault(
  error: unknown,
  { code, problem, masker }: { readonly code: ErrorCode; readonly problem: string; readonly masker: Masker },
): EngineError {
  if (EngineError.is(error)) return error;
  return new EngineError(code, { problem: masker.mask(`${problem}: ${messageOf(error)}`) }, { cause: error });
}

/** Reports a line that an adapter failed to parse, with the reason if it is a fault of the adapter. */
export function reportUnparsedLine(recorder: TurnRecorder, line: string, error: unknown): void {
  recorder.malformed(line);
  if (!(error instanceof SyntaxError)) recorder.notify(`the adapter failed on a line: ${messageOf(error)}`);
}
