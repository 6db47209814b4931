import { EngineError } from "@switchyard/contracts";
import { createByteWindow } from "../../output/byte-window.ts";
import type { LocalProcess } from "../process/local-process.ts";
import type { SearchOutput } from "./search-output.ts";

const MAX_PROBLEM_CHARS = 2000;
/** Exit code of ripgrep for a wrong pattern, or a file that could not be read. */
const FAILED = 2;

/** How the output of ripgrep is taken. */
export interface RipgrepReader {
  /** What was searched for, for the message. */
  readonly pattern: string;
  /** Takes the next bytes; false when no more are wanted. */
  read(chunk: Buffer): boolean;
  readonly signal: AbortSignal | undefined;
  /** Where it writes to, if not to pipes. */
  readonly output?: SearchOutput | undefined;
}

/** The process of ripgrep, wherever it runs. */
export type RipgrepProcess = Pick<LocalProcess, "stop" | "signal" | "output" | "finished" | "release">;

/**
 * Follows ripgrep to its end, or ends it when enough was read. Throws `environment.invalid_pattern` with what ripgrep
 * says, and the reason of the signal when that fires.
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
  // Behind an empty line comes advice about options that the caller does not have.
  const said = output?.readProblem(MAX_PROBLEM_CHARS) ?? problems.toText().text;
  const [problem = ""] = said.trim().split("\n\n", 1);
  // Files that cannot be read fail without a message.
  if (!enough && exitCode === FAILED && problem !== "") {
    throw new EngineError("environment.invalid_pattern", { pattern: pattern.slice(0, 200), problem });
  }
}
