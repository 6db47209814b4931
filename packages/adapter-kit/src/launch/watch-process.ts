import type { SpawnedProcess } from "@switchyard/contracts";
import { type OutputLine, readChunks, readLines } from "../output/read-lines.ts";

/**
 * Maximum wait for output after the process has ended, in milliseconds. Without this limit, the wait would last as long
 * as a grandchild process holds the pipe open.
 */
const DRAIN_MS = 2_000;

/** Options for `watchProcess`. */
export interface WatchOptions {
  /** Called with each line of standard output. */
  readonly onLine: (line: OutputLine) => void;
  /** Called with each chunk of standard error. */
  readonly onStderr: (chunk: Uint8Array) => void;
  /** Ends the process group when this signal aborts: sends SIGTERM, then SIGKILL after the grace period. */
  readonly signal: AbortSignal;
  /** Grace period, in milliseconds. */
  readonly graceMs: number;
}

/** How a watched process ended. */
export interface WatchedEnd {
  readonly exit: { readonly exitCode: number; readonly signal?: string | undefined };
  /** Error that occurred while reading the process's output. `undefined` if none occurred. */
  readonly readFailure?: unknown;
}

/** Returns a cancellable timer. */
export function createTimeout(ms: number): { readonly over: Promise<void>; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return { over, cancel: () => clearTimeout(timer) };
}

/**
 * Reads a process to its end and ends its process group. Waits for the end of the process, not for the end of its
 * pipes, which child processes may hold open. See agent-adapter: fork per turn.
 */
export async function watchProcess(process: SpawnedProcess, options: WatchOptions): Promise<WatchedEnd> {
  const { onLine, onStderr, signal, graceMs } = options;
  const reading = new AbortController();
  let failure: { readonly readFailure: unknown } | undefined;
  const lines = readLines(process.stdout, { onLine, signal: reading.signal }).catch((readFailure: unknown) => {
    failure = { readFailure };
  });
  const errors = readChunks(process.stderr, reading.signal, onStderr).catch(() => {});
  const stopping = stopOnAbort(process, signal, graceMs);
  try {
    const exit = await process.exited;
    // Other processes of the group can be killed now: the output that they wrote is already in the pipes and is not
    // lost.
    process.kill("SIGKILL");
    const timeout = createTimeout(DRAIN_MS);
    await Promise.race([Promise.all([lines, errors]), timeout.over]);
    timeout.cancel();
    reading.abort();
    return { exit, ...failure };
  } finally {
    stopping.release();
    await process[Symbol.asyncDispose]();
  }
}

/** Ends a process group when the signal aborts. */
function stopOnAbort(process: SpawnedProcess, signal: AbortSignal, graceMs: number): { release(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    process.kill("SIGTERM");
    timer = setTimeout(() => process.kill("SIGKILL"), graceMs);
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return {
    release() {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    },
  };
}

/** Writes a text to the standard input of a process that may not read it. */
export async function feedInput(process: SpawnedProcess, text: string): Promise<void> {
  const writer = process.stdin.getWriter();
  try {
    if (text !== "") await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // A process may end without reading its input; its exit status tells why.
  }
}
