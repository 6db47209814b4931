import { constants } from "node:os";
import { EngineError, fileProblem, toEngineError } from "@switchyard/contracts";
import type { TextOutput } from "@switchyard/terminal";
import type { CommandProgress } from "../context/command-context.ts";

/** Exit code of a command that was interrupted. */
export const INTERRUPTED = 130;
/** Exit codes of commands that ran to completion. */
const ENDED: ReadonlySet<number> = new Set([0, 1]);
const FALLBACK = "Its output was stored nowhere else.";

/** Input for `decideExitCode`. */
export interface CommandEnd {
  /** Exit code that the command returned, or the exit code for the error that the command threw. */
  readonly exitCode: number;
  /** Error about incomplete output. `undefined` if all output was written. */
  readonly unwritten?: EngineError | undefined;
  /** First signal that asked the command to stop. */
  readonly signal?: NodeJS.Signals | undefined;
}

/**
 * Returns the exit code of a command, as in the table `EXIT_CODES`. If the command ran to completion but its output
 * could not be written, returns the exit code of that write error. If a signal interrupted the command, returns 128
 * plus the signal's number. Otherwise returns the command's own exit code.
 */
export function decideExitCode({ exitCode, unwritten, signal }: CommandEnd): number {
  if (unwritten !== undefined && ENDED.has(exitCode)) return unwritten.row.exitCode;
  if (exitCode === INTERRUPTED && signal !== undefined) return 128 + constants.signals[signal];
  return exitCode;
}

/**
 * Converts a thrown value to an `EngineError`. If the command has already started work with side effects, replaces the
 * error `output.unwritable` with `output.lost`, which names where the result is stored.
 */
export function errorOfCommand(thrown: unknown, progress: CommandProgress): EngineError {
  const error = toEngineError(thrown);
  if (!progress.hasStarted || error.code !== "output.unwritable") return error;
  const { path, problem } = error.details;
  return lostOutput({ path: String(path), problem: String(problem), cause: error }, progress);
}

/** Returns the exit code for an error. It depends on whether the command has started work. */
export function exitCodeOfError(error: EngineError, { hasStarted }: CommandProgress): number {
  const { exitCode } = error.row;
  if (hasStarted) return exitCode === 2 ? 3 : exitCode;
  return NOT_STARTED.has(error.code) ? 2 : exitCode;
}

/**
 * Error codes for an unusable state folder, and for an environment that this machine lacks. If the command has not
 * started work, such an error has exit code 2.
 */
const NOT_STARTED: ReadonlySet<string> = new Set(["run.store_failed", "store.unreadable", "environment.unavailable"]);

/**
 * Returns the error for incomplete output. `undefined` if all output was written, or if the rest is not needed. If the
 * reader closes the pipe early, this is an error only if the command has done work whose result is then lost.
 */
export function unwrittenOutput(
  stdout: TextOutput,
  { progress, exitCode }: { readonly progress: CommandProgress; readonly exitCode: number },
): EngineError | undefined {
  if (!stdout.closed.aborted) return undefined;
  const reason: unknown = stdout.closed.reason;
  const isReaderGone = stdout.readerGone.aborted;
  const isLost = progress.hasStarted && ENDED.has(exitCode);
  if (isReaderGone && (!isLost || stdout.isTerminal)) return undefined;
  const problem = isReaderGone ? "the reader closed the pipe" : fileProblem(reason);
  if (isLost) return lostOutput({ path: "standard output", problem, cause: reason }, progress);
  return new EngineError("output.unwritable", { path: "standard output", problem }, { cause: reason });
}

function lostOutput(
  { path, problem, cause }: { readonly path: string; readonly problem: string; readonly cause: unknown },
  { keptAt }: CommandProgress,
): EngineError {
  return new EngineError("output.lost", { path, problem, kept: keptAt ?? FALLBACK }, { cause });
}
