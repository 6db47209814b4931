import { constants } from "node:os";
import type { BufferedStream } from "./buffered-stream.ts";
import { bufferStream } from "./buffered-stream.ts";
import { createNamespaceGroup } from "./namespace-group.ts";
import type { ProcessGroup } from "./process-group.ts";
import { createProcessGroup } from "./process-group.ts";
import type { RunningChild } from "./running-child.ts";
import { settlesWithin, waitUntil } from "./wait-until.ts";

/**
 * Maximum wait, in milliseconds, for a process that does not exit after SIGKILL because it is blocked in the kernel.
 */
const KILL_WAIT_MS = 5000;

/** Signal names by number. If two names share a number, the first name is used. */
const SIGNAL_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);

/** Time limits for ending a process and its process group. */
export interface ProcessTimes {
  /** Milliseconds between SIGTERM and SIGKILL. See loop: §5.4. */
  readonly killGraceMs: number;
  /**
   * Time, in milliseconds, to wait for output and remaining processes of a process group after its first process has
   * exited.
   */
  readonly drainMs: number;
}

/** How a process ended. */
export interface ProcessExit {
  /** Exit code, or 128 + n after signal n. */
  readonly exitCode: number;
  /** Name of the signal that ended the process. */
  readonly signal?: string | undefined;
  /**
   * True if processes of the process group were still running after the first process had exited, and were therefore
   * ended.
   */
  readonly endedProcesses?: boolean | undefined;
}

/**
 * A process and its process group. Contract: `finished` never rejects. It resolves when the first process has exited,
 * its output was read to the end (or has no reader), and the whole group has exited. The streams may stay open until
 * the code that started the process calls `release`.
 */
export class LocalProcess {
  readonly child: RunningChild;
  readonly output: { readonly stdout: BufferedStream; readonly stderr: BufferedStream };
  readonly exited: Promise<ProcessExit>;
  readonly finished: Promise<ProcessExit>;
  readonly #group: ProcessGroup;
  readonly #times: ProcessTimes;
  readonly #abandoned: Promise<ProcessExit>;
  #abandon: (exit: ProcessExit) => void = () => {};
  #ended = false;
  #drained = false;
  #stopped: Promise<void> | undefined;

  constructor(child: RunningChild, mark: string, times: ProcessTimes) {
    this.child = child;
    this.output = { stdout: bufferStream(child.stdout), stderr: bufferStream(child.stderr) };
    this.#times = times;
    this.#abandoned = new Promise((resolve) => {
      this.#abandon = resolve;
    });
    const namespaced = child.namespaced === true;
    this.#group = namespaced ? createNamespaceGroup(child.pid, mark) : createProcessGroup(child.pid, mark);
    // Stream errors are ignored, because a process that left the group may hold a stream open and break it on exit.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on("error", () => {});
    const closed = new Promise<void>((resolve) => {
      child.child.once("close", () => {
        this.#drained = true;
        resolve();
      });
    });
    this.exited = new Promise((resolve) => {
      child.child.once("exit", (code, signal) => {
        this.#ended = true;
        this.#group.leaderEnded();
        resolve(namespaced ? toMonitorExit(toExit(code, signal)) : toExit(code, signal));
      });
    });
    this.finished = this.#finish(closed);
  }

  /** Sends a signal to the process group. Does nothing after the first process of the group has exited. */
  signal(signal: "SIGTERM" | "SIGKILL" | "SIGINT"): void {
    if (!this.#ended) this.#group.signal(signal);
  }

  /**
   * Ends the process group and processes that left it: SIGTERM, then SIGKILL after the grace period. See loop: §5.4.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Destroys the streams, because a process that left the process group may hold them open forever. */
  release(): void {
    for (const stream of [this.child.stdin, this.child.stdout, this.child.stderr]) stream?.destroy();
  }

  async #stop(): Promise<void> {
    this.#group.signalAll("SIGTERM");
    if (await waitUntil(() => !this.#group.hasSurvivors(), this.#times.killGraceMs)) return;
    // SIGKILL is repeated, because a surviving process may have started another process since the last SIGKILL.
    const allEnded = await waitUntil(() => {
      this.#group.signalAll("SIGKILL");
      return !this.#group.hasSurvivors();
    }, KILL_WAIT_MS);
    if (!allEnded) this.#abandon({ exitCode: 128 + constants.signals.SIGKILL, signal: "SIGKILL" });
  }

  async #finish(closed: Promise<void>): Promise<ProcessExit> {
    const exit = await Promise.race([this.exited, this.#abandoned]);
    // A process that outlives the command, such as `tee`, may exit without a signal. After the deadline it is killed.
    const deadline = performance.now() + this.#times.drainMs;
    await settlesWithin(closed, this.#times.drainMs);
    await waitUntil(() => this.#stopped !== undefined || !this.#group.isAlive(), deadline - performance.now());
    await this.#stopped;
    const endedProcesses = this.#stopped === undefined && this.#group.isAlive();
    if (this.#group.isAlive()) await this.#killGroup();
    // The process group is gone, so only a process that left the group can still hold the streams open.
    if (!this.#drained) await settlesWithin(closed, this.#times.drainMs);
    return endedProcesses ? { ...exit, endedProcesses } : exit;
  }

  async #killGroup(): Promise<void> {
    await waitUntil(() => {
      this.#group.signal("SIGKILL");
      return !this.#group.isAlive();
    }, KILL_WAIT_MS);
  }
}

function toExit(code: number | null, signal: NodeJS.Signals | null): ProcessExit {
  if (signal === null) return { exitCode: code ?? 1 };
  return { exitCode: 128 + constants.signals[signal], signal };
}

/**
 * Converts the exit of the process that monitors a process namespace. It reports 128 + n if signal n ended the command.
 */
function toMonitorExit(exit: ProcessExit): ProcessExit {
  const name = exit.signal ?? SIGNAL_NAMES.get(exit.exitCode - 128);
  return name === undefined ? exit : { ...exit, signal: name };
}
