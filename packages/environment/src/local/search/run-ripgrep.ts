import { EngineError } from "@switchyard/contracts";
import { createByteWindow } from "../../output/byte-window.ts";
import type { LocalProcess } from "../process/local-process.ts";
import type { SearchOutput } from "./search-output.ts";

const MAX_PROBLEM_CHARS = 2000;
/** Exit code of ripgrep for an invalid pattern or an unreadable file. */
const FAILED = 2;

/** Options for reading ripgrep's output. */
export interface RipgrepReader {
  /** Pattern of the search, for error messages. */
  readonly pattern: string;
  /** Handles the next bytes. Returns false when no more are needed. */
  read(chunk: Buffer): boolean;
  readonly signal: AbortSignal | undefined;
  /** Files that receive ripgrep's output. `undefined`: the output is read through pipes. */
  readonly output?: SearchOutput | undefined;
}

/** The ripgrep process, local or remote. */
export type RipgrepProcess = Pick<LocalProcess, "stop" | "signal" | "output" | "finished" | "release">;

/**
 * Reads ripgrep's output until ripgrep exits, or stops ripgrep when enough was read. Throws
 * `environment.invalid_pattern` with ripgrep's message, and the abort reason of the signal.
 */
export async function runRipgrep(process: RipgrepProcess, reader: RipgrepReader): Promise<void> {
  const { pattern, read, signal, output } = reader;
  const problems = createByteWindow(MAX_PROBLEM_CHARS);
  const onAbort = (): void => void process.stop();
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  let enough = false;
  process.output.stderr.take((chunk) => problems.write(chunk));
  const take = (chunk: Buffer): boolean => {
    if (enough || read(chunk)) return !enough;
    enough = true;
    process.signal("SIGKILL");
    return false;
  };
  if (output === undefined) process.output.stdout.take(take);
  await output?.follow(take, process.finished);
  const { exitCode } = await process.finished;
  process.release();
  signal?.removeEventListener("abort", onAbort);
  signal?.throwIfAborted();
  // Only the first paragraph is used. In the second, ripgrep suggests options that the caller cannot set.
  const stderr = output?.readProblem(MAX_PROBLEM_CHARS) ?? problems.toText().text;
  const [problem = ""] = stderr.trim().split("\n\n", 1);
  // For unreadable files, ripgrep exits with the same code but prints no message.
  if (!enough && exitCode === FAILED && problem !== "") {
    throw new EngineError("environment.invalid_pattern", { pattern: pattern.slice(0, 200), problem });
  }
}
