import type { SpawnedProcess } from "@switchyard/contracts";
import { type OutputLine, readChunks, readLines } from "../output/read-lines.ts";

/** Milliseconds that output is waited for once the process has ended: a grandchild may hold it open for ever. */
const DRAIN_MS = 2_000;

/** How a process is watched. */
export interface WatchOptions {
  /** Told of each line of standard output. */
  readonly onLine: (line: OutputLine) => void;
  /** Told of bytes of standard error. */
  readonly onStderr: (chunk: Uint8Array) => void;
  /** Ends the process group: SIGTERM, and SIGKILL after the grace time. */
  readonly signal: AbortSignal;
  /** Milliseconds of grace. */
  readonly graceMs: number;
}

/** How a watched process ended. */
export interface WatchedEnd {
  readonly exit: { readonly exitCode: number; readonly signal?: string | undefined };
  /** What reading its output failed with. */
  readonly readFailure?: unknown;
}

/** Time that something is waited for. */
export function patienceOf(ms: number): { readonly over: Promise<void>; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return { over, cancel: () => clearTimeout(timer) };
}

/**
 * Reads a process to its end and reaps it with its group. The end of the process counts, not that of its pipes.
 * agent-adapter: fork per turn.
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
    // What is left of the group; what it wrote is in the pipes already.
    process.kill("SIGKILL");
    const patience = patienceOf(DRAIN_MS);
    await Promise.race([Promise.all([lines, errors]), patience.over]);
    patience.cancel();
    reading.abort();
    return { exit, ...failure };
  } finally {
    stopping.release();
    await process[Symbol.asyncDispose]();
  }
}

/** Ends a process group when the signal fires. */
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

/** Hands a text to a process that may not want it. */
export async function feedInput(process: SpawnedProcess, text: string): Promise<void> {
  const writer = process.stdin.getWriter();
  try {
    if (text !== "") await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // A process that ends without reading its input has its reasons; how it ended tells them.
  }
}
