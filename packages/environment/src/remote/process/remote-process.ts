import { constants } from "node:os";
import type { EngineError, SpawnedProcess } from "@switchyard/contracts";
import { settlesWithin } from "../../local/process/wait-until.ts";
import { createByteWindow } from "../../output/byte-window.ts";
import type { ClientFailure } from "../remote-backend.ts";
import { REPORT_START, type UnreadInput } from "../script/command-script.ts";
import type { CommandStream } from "./command-stream.ts";
import { readCommandStream } from "./command-stream.ts";
import type { EndSignal, ProcessWatch } from "./process-watch.ts";
import { endProcesses, pollUntil } from "./process-watch.ts";

const MAX_CLIENT_CHARS = 4000;
/**
 * Time limit, in milliseconds, of two waits: for the report that a command has started, if the command must be stopped
 * before this report; and for the end of a process group after SIGKILL.
 */
const START_WAIT_MS = 5000;

/** How a process ended. */
export interface RemoteExit {
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

/** Time, in milliseconds, to wait for output that arrives after the client program has exited. */
const LAST_OUTPUT_MS = 500;

/** Client, settings and helpers that a `RemoteProcess` needs. */
export interface RemoteProcessParts {
  readonly client: SpawnedProcess;
  /** Unique text in the lines in which the remote script reports the start and end of the process. */
  readonly id: string;
  /**
   * Mark (unique id) in the environment variables of the process. It identifies the process after it has left its
   * process group.
   */
  readonly mark: string;
  /** How the script handles remaining input after the command has ended. */
  readonly restOfInput: UnreadInput;
  readonly watch: ProcessWatch;
  readonly times: { readonly killGraceMs: number; readonly drainMs: number };
  /** Returns the error that explains a failure of the client program. */
  explain(failure: ClientFailure): EngineError;
}

/**
 * Thrown if a command did not start. `reason` is an error code of the remote script, or the system's message about the
 * working folder.
 */
export class NotStarted extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super("The command did not start.");
    this.reason = reason;
  }
}

/**
 * A remote command and the client that carries its streams. Contract: `finished` never rejects. It resolves when the
 * command has ended, its output has arrived and its process group is gone. The owner calls `release`.
 */
export class RemoteProcess {
  readonly child: { readonly stdin: { end(content?: string | Uint8Array): void } };
  readonly input: WritableStreamDefaultWriter<Uint8Array>;
  readonly output: { readonly stdout: CommandStream; readonly stderr: CommandStream };
  /**
   * Time at which the start was requested, a value of `performance.now()`. The confirmation of the start may arrive
   * much later.
   */
  readonly requestedMs: number = performance.now();
  /** Resolves with the process id. Rejects if the command does not start. */
  readonly started: Promise<number>;
  readonly exited: Promise<RemoteExit>;
  readonly finished: Promise<RemoteExit>;
  readonly #parts: RemoteProcessParts;
  readonly #clientStderr = createByteWindow(MAX_CLIENT_CHARS);
  readonly #outputEnded: Promise<void>;
  #settleStart: { resolve(pid: number): void; reject(error: unknown): void };
  #exit: (exit: RemoteExit) => void = () => {};
  #endOutput: () => void = () => {};
  #pid: number | undefined;
  #ended = false;
  #hasSurvivors = false;
  #isPolling = false;
  #failure: EngineError | undefined;
  #stopped: Promise<void> | undefined;
  #released: Promise<void> | undefined;

  constructor(parts: RemoteProcessParts) {
    this.#parts = parts;
    this.#settleStart = { resolve: () => {}, reject: () => {} };
    this.started = new Promise((resolve, reject) => {
      this.#settleStart = { resolve, reject };
    });
    this.started.catch(() => {});
    this.exited = new Promise((resolve) => {
      this.#exit = resolve;
    });
    this.#outputEnded = new Promise((resolve) => {
      this.#endOutput = resolve;
    });
    this.input = parts.client.stdin.getWriter();
    this.input.closed.catch(() => {});
    this.child = { stdin: { end: (content) => this.#endInput(content) } };
    this.output = this.#readOutput();
    void Promise.all([this.exited, this.#outputEnded]).then(() => this.#dropInput());
    void this.#followClient();
    this.finished = this.#finish();
  }

  /** Id of the process and of its process group. */
  get pid(): number | undefined {
    return this.#pid;
  }

  /** Error that explains why the command's exit is unknown. `undefined` if the exit is known. */
  get failure(): EngineError | undefined {
    return this.#failure;
  }

  /** Sends a signal to the process group. Does nothing after the first process of the group has exited. */
  signal(signal: EndSignal): void {
    if (this.#ended || this.#pid === undefined) return;
    void this.#parts.watch.signal({ group: this.#pid }, signal).then(() => this.#watchForEnd(signal));
  }

  /**
   * After a signal, waits until the process group is gone, and then buffers the remaining output even without a
   * consumer. The report of the exit comes after this output in the stream.
   */
  async #watchForEnd(signal: EndSignal): Promise<void> {
    // While a check is running, only SIGKILL starts another one. Other signals may be sent repeatedly, and need no
    // check each.
    if (this.#isPolling && signal !== "SIGKILL") return;
    this.#isPolling = true;
    const isGone = async (): Promise<boolean> =>
      this.#ended || !(await this.#parts.watch.signal({ group: this.#pid }, undefined)).group;
    if (await pollUntil(isGone, this.#parts.times.killGraceMs)) this.#bufferRest();
    this.#isPolling = false;
  }

  #bufferRest(): void {
    this.output.stdout.bufferRest();
    this.output.stderr.bufferRest();
  }

  /**
   * Ends the process group and processes that left it: SIGTERM, then SIGKILL after the grace period. See loop: §5.4.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Stops reading the output and closes the client program. */
  release(): Promise<void> {
    this.#released ??= this.#release();
    return this.#released;
  }

  async #release(): Promise<void> {
    this.output.stdout.cancel();
    this.output.stderr.cancel();
    await this.#parts.client[Symbol.asyncDispose]();
  }

  #endInput(content: string | Uint8Array | undefined): void {
    if (this.#parts.restOfInput === "end") return;
    if (content !== undefined && content.length > 0) this.input.write(Buffer.from(content)).catch(() => {});
    void this.closeInput();
  }

  /** Closes the command's input. Ignores the error if the program or the client has already exited. */
  async closeInput(): Promise<void> {
    await this.input.close().catch(() => {});
  }

  /** Discards pending input after the command has ended, because nothing reads it. */
  #dropInput(): void {
    this.input.abort(new Error("The process has ended.")).catch(() => {});
  }

  #readOutput(): RemoteProcess["output"] {
    const { client, id } = this.#parts;
    const mark = `${REPORT_START}${id}`;
    const isStarted = (): boolean => this.#pid !== undefined;
    const stdout = readCommandStream(client.stdout, {
      mark,
      isStarted,
      onMark: () => this.#endOutput(),
      isCommand: () => true,
    });
    const stderr = readCommandStream(client.stderr, {
      mark,
      isStarted,
      onMark: (rest) => this.#handleReport(rest),
      isCommand: () => isStarted() && !this.#ended,
      onClient: (chunk) => this.#clientStderr.write(chunk),
    });
    return { stdout, stderr };
  }

  #handleReport(rest: string): void {
    const [kind = "", ...values] = rest.split(" ");
    if (kind === "start" && this.#pid === undefined) {
      this.#pid = Number(values[0]);
      this.#parts.watch.register(this.#pid);
      this.#settleStart.resolve(this.#pid);
    } else if (kind === "fail") {
      this.#settleStart.reject(new NotStarted(values.join(" ")));
    } else if (kind === "end") {
      this.#hasSurvivors = values[2] === "rest";
      this.#end(toExit(Number(values[0]), values[1] === "signal"));
    }
  }

  #end(exit: RemoteExit): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#exit(exit);
  }

  /**
   * Handles an exit of the client program before the command's exit was reported, which means that the connection or
   * the environment is lost.
   */
  async #followClient(): Promise<void> {
    const { client, explain } = this.#parts;
    const { exitCode } = await client.exited;
    await this.#lastOutput();
    if (this.#ended) return;
    this.#failure = explain({ exitCode, stderr: this.#clientStderr.toText().text });
    this.#settleStart.reject(this.#failure);
    await this.stop();
    this.#end({ exitCode: 255 });
  }

  /**
   * Waits for the last output. The wait has a time limit, because a pipe inherited by another process may stay open
   * forever.
   */
  async #lastOutput(): Promise<void> {
    const { stdout, stderr } = this.output;
    let closed = false;
    const closing = Promise.all([stdout.closed, stderr.closed]).then(() => {
      closed = true;
    });
    do await settlesWithin(closing, LAST_OUTPUT_MS);
    while (!closed && !this.#ended && (stdout.isBlocked || stderr.isBlocked));
  }

  async #stop(): Promise<void> {
    const { watch, times, mark } = this.#parts;
    const known = this.started.then(
      () => {},
      () => {},
    );
    await settlesWithin(known, START_WAIT_MS);
    const allEnded = await endProcesses(watch, { group: this.#pid, mark }, times);
    this.#hasSurvivors = !allEnded;
    // The exit is usually reported soon. If not, the process is blocked in the kernel despite SIGKILL.
    const exitReported = this.exited.then(() => {});
    if (allEnded) {
      this.#bufferRest();
      await settlesWithin(exitReported, times.drainMs);
    }
    this.#end({ exitCode: 128 + constants.signals.SIGKILL, signal: "SIGKILL" });
  }

  async #finish(): Promise<RemoteExit> {
    const { watch, times } = this.#parts;
    const exit = await this.exited;
    const closed = Promise.all([this.output.stdout.closed, this.output.stderr.closed]).then(() => {});
    // On a slow connection, output on one stream may arrive after the exit was reported on the other stream.
    if (this.#stopped === undefined) await Promise.race([this.#outputEnded, closed]);
    const deadline = performance.now() + times.drainMs;
    await settlesWithin(closed, times.drainMs);
    await this.#stopped;
    const group = this.#pid;
    if (this.#hasSurvivors && group !== undefined) {
      const isGone = async () => !(await watch.signal({ group }, undefined)).group;
      const endedProcesses = !(await pollUntil(isGone, deadline - performance.now()));
      if (endedProcesses) await this.#killGroup(group);
      await settlesWithin(closed, times.drainMs);
      watch.unregister(group);
      return endedProcesses && this.#stopped === undefined ? { ...exit, endedProcesses } : exit;
    }
    if (group !== undefined) watch.unregister(group);
    return exit;
  }

  async #killGroup(group: number): Promise<void> {
    const kill = async () => !(await this.#parts.watch.signal({ group }, "SIGKILL")).group;
    if (!(await kill())) await pollUntil(kill, START_WAIT_MS);
  }
}

function toExit(exitCode: number, bySignal: boolean): RemoteExit {
  const [signal] = Object.entries(constants.signals).find(([, number]) => 128 + number === exitCode) ?? [];
  return bySignal && signal !== undefined ? { exitCode, signal } : { exitCode };
}
