import { constants } from "node:os";
import { EngineError, fileProblem, toEngineError } from "@switchyard/contracts";
import type { TextOutput } from "@switchyard/terminal";
import type { CommandProgress } from "../context/command-context.ts";

/** Exit code of a command that was interrupted. */
export const INTERRUPTED = 130;
/** Exit codes of commands that came to their end. */
const ENDED: ReadonlySet<number> = new Set([0, 1]);
const FALLBACK = "Its output was stored nowhere else.";

/** What decides the exit code of a command. */
export interface CommandEnd {
  /** Exit code that the command gave, or that belongs to what it threw. */
  readonly exitCode: number;
  /** Why its output is not whole; `undefined` if it is. */
  readonly unwritten?: EngineError | undefined;
  /** First signal that asked it to stop. */
  readonly signal?: NodeJS.Signals | undefined;
}

/**
 * The exit code of every command, from the table `EXIT_CODES`: that of output that could not be written, where the
 * command itself came to its end; 128 plus the signal's number where a signal interrupted it; else its own.
 */
export function decideExitCode({ exitCode, unwritten, signal }: CommandEnd): number {
  if (unwritten !== undefined && ENDED.has(exitCode)) return unwritten.row.exitCode;
  if (exitCode === INTERRUPTED && signal !== undefined) return 128 + constants.signals[signal];
  return exitCode;
}

/**
 * The error that a command ends with for what it threw. Without any work, nothing was started: a state folder that
 * cannot be used is a matter of configuration then. After it, an output that cannot be written is a lost one.
 */
export function errorOfCommand(thrown: unknown, progress: CommandProgress): EngineError {
  const error = toEngineError(thrown);
  if (!progress.hasStarted || error.code !== "output.unwritable") return error;
  const { path, problem } = error.details;
  return lostOutput({ path: String(path), problem: String(problem), cause: error }, progress);
}

/** The exit code of what a command threw: whatever keeps it from starting is 2, unless it is a fault of ours. */
export function exitCodeOfError(error: EngineError, { hasStarted }: CommandProgress): number {
  const { exitCode } = error.row;
  if (hasStarted) return exitCode === 2 ? 3 : exitCode;
  return NOT_STARTED.has(error.code) ? 2 : exitCode;
}

/** Errors of the state folder: before a command has started any work, they keep it from starting. */
const NOT_STARTED: ReadonlySet<string> = new Set(["run.store_failed", "store.unreadable"]);

/**
 * Why the output of a command is not whole; `undefined` if it is. A reader that has seen enough of a list has lost
 * nothing; the output of work that was done is lost with its reader. `exitCode` is that of the command.
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
  const problem = isReaderGone ? "its reader is gone" : fileProblem(reason);
  if (isLost) return lostOutput({ path: "standard output", problem, cause: reason }, progress);
  return new EngineError("output.unwritable", { path: "standard output", problem }, { cause: reason });
}

function lostOutput(
  { path, problem, cause }: { readonly path: string; readonly problem: string; readonly cause: unknown },
  { keptAt }: CommandProgress,
): EngineError {
  return new EngineError("output.lost", { path, problem, kept: keptAt ?? FALLBACK }, { cause });
}
