import type { ExecOptions, ExecResult } from "@switchyard/contracts";
import { collectOutput } from "../../output/collect-output.ts";
import type { EmulatedShell, RunningShell, ShellProgram } from "./emulated-shell.ts";

/** Maximum delay of a timer, a 32-bit number. A timer with a longer delay would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A command line, its working folder and its environment variables. */
export type ShellCommand = Pick<ShellProgram, "script" | "cwd" | "variables">;

/** Result of a command line that was not started because its signal was already aborted. */
const ABORTED_BEFORE_START: ExecResult = {
  stdout: "",
  stderr: "",
  exitCode: 143,
  signal: "SIGTERM",
  timedOut: false,
  aborted: true,
  durationMs: 0,
  droppedBytes: 0,
};

/** Reason why a command line was ended before it finished. */
interface Over {
  timedOut: boolean;
  aborted: boolean;
  /** Errors thrown by the caller's output listener. */
  readonly problems: unknown[];
}

/**
 * Runs a command line to completion: writes its input, collects its output, enforces its time limit. See loop: §4.2,
 * §5.4.
 */
export async function runInShell(
  shell: EmulatedShell,
  command: ShellCommand,
  options: ExecOptions,
): Promise<ExecResult> {
  if (options.signal?.aborted === true) return { ...ABORTED_BEFORE_START };
  const { timeoutMs = 0, signal } = options;
  const started = performance.now();
  const over: Over = { timedOut: false, aborted: false, problems: [] };
  const hasTimedOut = (): boolean => {
    if (!over.aborted && timeoutMs > 0 && performance.now() - started >= timeoutMs) over.timedOut = true;
    return over.timedOut;
  };
  let running: RunningShell | undefined;
  const output = collectOutput(options, (error) => {
    over.problems.push(error);
    running?.end();
  });
  running = await shell.start({
    ...command,
    stdin: toBytes(options.stdin),
    stdout: (bytes) => output.write("stdout", bytes),
    stderr: (bytes) => output.write("stderr", bytes),
    isOver: () => hasTimedOut() || over.problems.length > 0,
  });
  const onAbort = (): void => {
    over.aborted = !over.timedOut;
    running?.end();
  };
  // When the timer fires, the time limit counts as reached. The elapsed time is not checked again, because a timer may
  // fire slightly too early, and fires only once.
  const onTimeout = (): void => {
    over.timedOut = !over.aborted;
    running?.end();
  };
  const timer = timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS ? setTimeout(onTimeout, timeoutMs) : undefined;
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  const { exitCode, signal: endedBy } = await running.exited;
  clearTimeout(timer);
  signal?.removeEventListener("abort", onAbort);
  const { stdout, stderr } = output.finish();
  if (over.problems.length > 0) throw over.problems[0];
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode,
    ...(endedBy === undefined ? {} : { signal: endedBy }),
    timedOut: over.timedOut,
    aborted: over.aborted,
    durationMs: performance.now() - started,
    droppedBytes: stdout.droppedBytes + stderr.droppedBytes,
  };
}

function toBytes(stdin: ExecOptions["stdin"] = ""): Uint8Array {
  return typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin;
}
