import { EngineError, type ErrorCode, messageOf } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { TurnRecorder } from "../turn/turn-recorder.ts";

/** An error of an adapter's own code as one of the table, with its reason, so that its author finds it. */
export function adapterFault(
  error: unknown,
  { code, problem, masker }: { readonly code: ErrorCode; readonly problem: string; readonly masker: Masker },
): EngineError {
  if (EngineError.is(error)) return error;
  return new EngineError(code, { problem: masker.mask(`${problem}: ${messageOf(error)}`) }, { cause: error });
}

/** Tells a line that an adapter threw on; why, where it is no word about the line but a fault of the adapter. */
export function tellUnread(recorder: TurnRecorder, line: string, error: unknown): void {
  recorder.malformed(line);
  if (!(error instanceof SyntaxError)) recorder.notify(`the adapter failed on a line: ${messageOf(error)}`);
}
