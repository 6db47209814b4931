import type { BackgroundCommand, BackgroundOutput, SpawnedProcess } from "@switchyard/contracts";
import { RecentOutput } from "./recent-output.ts";

/** Maximum size of a command's unread output in the buffer, in characters. */
const MAX_WAITING_CHARS = 256 * 1024;
/** Maximum wait for remaining output after a command exits, in milliseconds. */
const DRAIN_MS = 2_000;

/** Options for `RunningCommand`. */
export interface RunningCommandOptions {
  /** Id of the tool call that started the command. */
  readonly id: string;
  /** The command line. */
  readonly command: string;
  /** Returns the current time in milliseconds. */
  readonly now: () => number;
}

/** Resolves after a timeout, or earlier if the promise settles or the signal aborts. Leaves no timer running. */
function settlesWithin(promise: Promise<unknown>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
    if (signal?.aborted === true) done();
    promise.then(done, done);
  });
}

async function read(stream: ReadableStream<Uint8Array>, output: RecentOutput): Promise<void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const reader = stream.getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      output.write(decoder.decode(chunk.value, { stream: true }));
    }
  } catch {
    // An error while reading output is treated like the end of the output. The exit status shows how the command ended.
  }
  output.write(decoder.decode());
}

/** A background command and its buffered output. */
export class RunningCommand {
  readonly #process: SpawnedProcess;
  readonly #options: RunningCommandOptions;
  readonly #output = new RecentOutput(MAX_WAITING_CHARS);
  readonly #startedMs: number;
  readonly #ended: Promise<void>;
  #exit: { readonly exitCode: number; readonly signal?: string | undefined; readonly durationMs: number } | undefined;

  /** Tracks a process that was just started. */
  constructor(process: SpawnedProcess, options: RunningCommandOptions) {
    this.#process = process;
    this.#options = options;
    this.#startedMs = options.now();
    this.#ended = this.#follow();
  }

  /** Current state. */
  get status(): BackgroundCommand {
    const { id, command } = this.#options;
    if (this.#exit === undefined) return { id, command, isRunning: true, durationMs: this.#elapsedMs() };
    return { id, command, isRunning: false, ...this.#exit };
  }

  /** Resolves with the output since the last call. Waits at most `waitMs` milliseconds for the command to end. */
  async poll(waitMs: number, signal?: AbortSignal): Promise<BackgroundOutput> {
    if (waitMs > 0 && this.#exit === undefined) await settlesWithin(this.#ended, waitMs, signal);
    const { text, droppedChars } = this.#output.take();
    return { ...this.status, output: text, droppedChars };
  }

  /** Ends the command's process group. Resolves when the processes have exited. */
  async end(): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    await this.#ended;
  }

  #elapsedMs(): number {
    return Math.max(0, this.#options.now() - this.#startedMs);
  }

  async #follow(): Promise<void> {
    const { stdin, stdout, stderr, exited } = this.#process;
    // Closes stdin, so that a command that reads it gets end of file instead of waiting forever.
    stdin.close().catch(() => {});
    const drained = Promise.all([read(stdout, this.#output), read(stderr, this.#output)]);
    const exit = await exited;
    const durationMs = this.#elapsedMs();
    await settlesWithin(drained, DRAIN_MS);
    await this.#process[Symbol.asyncDispose]();
    this.#exit = { ...exit, durationMs };
  }
}
