import type { ExecOptions, ExecResult } from "@switchyard/contracts";
import { createByteWindow } from "../../output/byte-window.ts";
import type { CommandSpool } from "./spool/command-spool.ts";

/** Characters kept per stream unless the caller says otherwise. */
export const DEFAULT_OUTPUT_CHARS: number = 256 * 1024;
/** Timers count in 32 bits; a longer delay would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type RunOptions = Pick<ExecOptions, "timeoutMs" | "stdin" | "onOutput" | "maxOutputChars" | "signal">;

/** Why a command was ended. */
type Ended = { reason: "timeout" } | { reason: "aborted" } | { reason: "listener_failed"; error: unknown };

/** A process that is followed to its end. */
export interface FollowedProcess {
  readonly child: { readonly stdin: { end(content?: string | Uint8Array): unknown } | undefined };
  readonly output: Readonly<Record<"stdout" | "stderr", { take(sink: (chunk: Buffer) => void): void }>>;
  /** Where its output is when it does not come through `output`. */
  readonly spool?: CommandSpool | undefined;
  /** Resolves when it has ended; never rejects. */
  readonly exited: Promise<unknown>;
  /** Resolves when its output is there and its group is gone; never rejects. */
  readonly finished: Promise<Pick<ExecResult, "exitCode" | "signal" | "endedProcesses">>;
  /** Ends it and its group. */
  stop(): Promise<void>;
  /** Lets go of its streams. */
  release(): unknown;
}

/** Result of a command that was not even started, as its signal had fired before. */
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
 * Follows a process to its end: feeds it, collects its output, holds it to its time. `startedMs` is the moment, by
 * `performance.now()`, from which its duration counts. loop: §4.2, §5.4.
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

// Guards as functions: the compiler does not see that a callback assigns.
function isListenerFailure(ended: Ended | undefined): ended is Extract<Ended, { reason: "listener_failed" }> {
  return ended?.reason === "listener_failed";
}

function hasReason(ended: Ended | undefined, reason: Ended["reason"]): boolean {
  return ended?.reason === reason;
}

/** Calls `end` when the time is up or the caller's signal fires; gives a function that forgets both. */
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
    const tell = createTeller(stream, options.onOutput, onFailure);
    process.output[stream].take((chunk) => {
      window.write(chunk);
      tell(chunk);
    });
    return () => {
      tell(undefined);
      return window.toText();
    };
  };
  const finishStdout = collect("stdout");
  const finishStderr = collect("stderr");
  return { finish: () => ({ stdout: finishStdout(), stderr: finishStderr() }) };
}

/** Tells a listener of decoded text; a character that is cut by two chunks is held back until it is whole. */
function createTeller(
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
