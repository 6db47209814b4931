import type { SpawnedProcess } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { joinBytes } from "../../output/join-bytes.ts";
import { createByteSource } from "./byte-source.ts";
import type { EmulatedShell, RunningShell, ShellExit, ShellSignal } from "./emulated-shell.ts";
import { SIGNAL_EXITS } from "./emulated-shell.ts";
import type { ShellCommand } from "./run-in-shell.ts";

/** Maximum size of a command's standard input, in bytes. The whole input is buffered before the command starts. */
const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/**
 * A running command line whose streams the caller reads and writes. The emulated shell needs the complete input at the
 * start, so the command line starts only when its standard input is closed.
 */
export class SpawnedShell implements SpawnedProcess {
  readonly pid: undefined;
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly exited: Promise<ShellExit>;
  readonly #shell: EmulatedShell;
  readonly #command: ShellCommand;
  readonly #output = { stdout: createByteSource(), stderr: createByteSource() };
  #running: RunningShell | undefined;
  #endedBy: ShellSignal | undefined;
  #finish: (exit: ShellExit | Promise<ShellExit>) => void = () => {};

  constructor(shell: EmulatedShell, command: ShellCommand) {
    this.#shell = shell;
    this.#command = command;
    this.stdin = this.#collectInput();
    this.stdout = this.#output.stdout.stream;
    this.stderr = this.#output.stderr.stream;
    const exit = new Promise<ShellExit>((resolve) => {
      this.#finish = resolve;
    });
    this.exited = exit.then((ended) => {
      this.#output.stdout.close();
      this.#output.stderr.close();
      return ended;
    });
  }

  kill(signal: ShellSignal = "SIGTERM"): void {
    this.#endedBy ??= signal;
    this.#output.stdout.abandon();
    this.#output.stderr.abandon();
    this.#running?.end(signal);
    // The command line has not started, because its input is not complete. It is ended without being started.
    if (this.#running === undefined) this.#finish({ exitCode: SIGNAL_EXITS[signal], signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill("SIGKILL");
    await this.exited;
  }

  #collectInput(): WritableStream<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    const start = (): void => {
      if (this.#endedBy === undefined) this.#finish(this.#start(joinBytes(pieces)));
    };
    return new WritableStream<Uint8Array>({
      write(chunk) {
        bytes += chunk.length;
        if (bytes > MAX_INPUT_BYTES) {
          throw new EngineError("environment.file_too_large", { path: "stdin", bytes, maxBytes: MAX_INPUT_BYTES });
        }
        pieces.push(chunk.slice());
      },
      close: start,
      abort: start,
    });
  }

  async #start(stdin: Uint8Array): Promise<ShellExit> {
    const { stdout, stderr } = this.#output;
    this.#running = await this.#shell.start({ ...this.#command, stdin, stdout: stdout.write, stderr: stderr.write });
    if (this.#endedBy !== undefined) this.#running.end(this.#endedBy);
    return this.#running.exited;
  }
}
