import type { ExecOptions, ExecResult } from "@switchyard/contracts";
import { createByteWindow } from "../../output/byte-window.ts";
import type { CommandSpool } from "./spool/command-spool.ts";

/** Default number of characters of each output stream that are returned. */
export const DEFAULT_OUTPUT_CHARS: number = 256 * 1024;
/** Maximum delay of a timer, a 32-bit number. A timer with a longer delay would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type RunOptions = Pick<ExecOptions, "timeoutMs" | "stdin" | "onOutput" | "maxOutputChars" | "signal">;

/** Reason why a command was ended before it exited. */
type Ended = { reason: "timeout" } | { reason: "aborted" } | { reason: "listener_failed"; error: unknown };

/** A process whose input, output and exit `runCommand` handles. */
export interface FollowedProcess {
  readonly child: { readonly stdin: { end(content?: string | Uint8Array): unknown } | undefined };
  readonly output: Readonly<Record<"stdout" | "stderr", { take(sink: (chunk: Buffer) => void): void }>>;
  /** Files that receive the output of the process. `undefined` if the output is read from the streams in `output`. */
  readonly spool?: CommandSpool | undefined;
  /** Resolves when the process has exited; never rejects. */
  readonly exited: Promise<unknown>;
  /** Resolves when the output is complete and the whole process group has exited; never rejects. */
  readonly finished: Promise<Pick<ExecResult, "exitCode" | "signal" | "endedProcesses">>;
  /** Ends the process and its process group. */
  stop(): Promise<void>;
  /** Releases the streams. */
  release(): unknown;
}

/** Result of a command that was not started because its signal was already aborted. */
export const ABORTED_BEFORE_START: ExecResult = {
  stdout: "",
  stderr: "",
  exitCode: 143,
  signal: "SIGTERM",
  timedOut: false,
  aborted: true,
  durationMs: 0,
  droppedBytes: 0,
};

/**
 * Waits for a process to end: writes its input, collects its output and enforces its time limit. The reported duration
 * starts at `startedMs`, a value of `performance.now()`. See loop: §4.2, §5.4.
 */
export async function runCommand(
  process: FollowedProcess,
  options: RunOptions,
  startedMs: number = performance.now(),
): Promise<ExecResult> {
  let ended: Ended | undefined;
  const end = (cause: Ended): void => {
    if (ended !== undefined) return;
    ended = cause;
    void process.stop();
  };
  const output = collectOutput(process, options, (error) => end({ reason: "listener_failed", error }));
  process.child.stdin?.end(options.stdin);
  const forget = watchLimits(options, end);
  void process.exited.then(forget);
  const { exitCode, signal, endedProcesses } = await process.finished;
  process.release();
  const { stdout, stderr } = output.finish();
  if (isListenerFailure(ended)) throw ended.error;
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode,
    ...(signal === undefined ? {} : { signal }),
    timedOut: hasReason(ended, "timeout"),
    aborted: hasReason(ended, "aborted"),
    durationMs: performance.now() - startedMs,
    droppedBytes: stdout.droppedBytes + stderr.droppedBytes,
    ...(endedProcesses === true ? { endedProcesses } : {}),
  };
}

// These type guards are functions, because the compiler does not know that a callback assigns the variable.
function isListenerFailure(ended: Ended | undefined): ended is Extract<Ended, { reason: "listener_failed" }> {
  return ended?.reason === "listener_failed";
}

function hasReason(ended: Ended | undefined, reason: Ended["reason"]): boolean {
  return ended?.reason === reason;
}

/**
 * Calls `end` when the time limit is reached or the caller's signal fires. Returns a function that cancels both
 * listeners.
 */
function watchLimits({ timeoutMs = 0, signal }: RunOptions, end: (cause: Ended) => void): () => void {
  const onAbort = (): void => end({ reason: "aborted" });
  const timer =
    timeoutMs > 0 ? setTimeout(() => end({ reason: "timeout" }), Math.min(timeoutMs, MAX_TIMER_MS)) : undefined;
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
}

function collectOutput(process: FollowedProcess, options: RunOptions, onFailure: (error: unknown) => void) {
  const { spool } = process;
  if (spool !== undefined) return { finish: () => spool.read() };
  const collect = (stream: "stdout" | "stderr") => {
    const window = createByteWindow(options.maxOutputChars ?? DEFAULT_OUTPUT_CHARS);
    const emit = createTextEmitter(stream, options.onOutput, onFailure);
    process.output[stream].take((chunk) => {
      window.write(chunk);
      emit(chunk);
    });
    return () => {
      emit(undefined);
      return window.toText();
    };
  };
  const finishStdout = collect("stdout");
  const finishStderr = collect("stderr");
  return { finish: () => ({ stdout: finishStdout(), stderr: finishStderr() }) };
}

/** Passes decoded text to a listener. A character split between two chunks is buffered until it is complete. */
function createTextEmitter(
  stream: "stdout" | "stderr",
  onOutput: ExecOptions["onOutput"],
  onFailure: (error: unknown) => void,
): (chunk: Buffer | undefined) => void {
  if (onOutput === undefined) return () => {};
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let failed = false;
  return (chunk) => {
    const text = decoder.decode(chunk, { stream: chunk !== undefined });
    if (text === "" || failed) return;
    try {
      onOutput({ stream, text });
    } catch (error) {
      failed = true;
      onFailure(error);
    }
  };
}
