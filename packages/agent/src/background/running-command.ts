import type { BackgroundCommand, BackgroundOutput, SpawnedProcess } from "@switchyard/contracts";
import { RecentOutput } from "./recent-output.ts";

/** Characters of a command's output that wait for somebody to ask. */
const MAX_WAITING_CHARS = 256 * 1024;
/** Time the output of a command gets to arrive once the command has ended, in milliseconds. */
const DRAIN_MS = 2_000;

/** What a command is followed with. */
export interface RunningCommandOptions {
  /** Id of the call that started it. */
  readonly id: string;
  /** The command line. */
  readonly command: string;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** Resolves after some time, or as soon as the promise or the signal says so; leaves no timer behind. */
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
    // A stream that breaks has ended; how the command ended is told by its exit.
  }
  output.write(decoder.decode());
}

/** A command that runs beside the conversation, with what it prints. */
export class RunningCommand {
  readonly #process: SpawnedProcess;
  readonly #options: RunningCommandOptions;
  readonly #output = new RecentOutput(MAX_WAITING_CHARS);
  readonly #startedMs: number;
  readonly #ended: Promise<void>;
  #exit: { readonly exitCode: number; readonly signal?: string | undefined; readonly durationMs: number } | undefined;

  /** Follows a process that was just started. */
  constructor(process: SpawnedProcess, options: RunningCommandOptions) {
    this.#process = process;
    this.#options = options;
    this.#startedMs = options.now();
    this.#ended = this.#follow();
  }

  /** How it stands. */
  get status(): BackgroundCommand {
    const { id, command } = this.#options;
    if (this.#exit === undefined) return { id, command, isRunning: true, durationMs: this.#elapsedMs() };
    return { id, command, isRunning: false, ...this.#exit };
  }

  /** What it printed since the last time, after waiting for its end for at most so long. */
  async poll(waitMs: number, signal?: AbortSignal): Promise<BackgroundOutput> {
    if (waitMs > 0 && this.#exit === undefined) await settlesWithin(this.#ended, waitMs, signal);
    const { text, droppedChars } = this.#output.take();
    return { ...this.status, output: text, droppedChars };
  }

  /** Ends it with its whole group; resolves when it is gone. */
  async end(): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    await this.#ended;
  }

  #elapsedMs(): number {
    return Math.max(0, this.#options.now() - this.#startedMs);
  }

  async #follow(): Promise<void> {
    const { stdin, stdout, stderr, exited } = this.#process;
    // Nobody will write to it: whatever reads gets the end of its input instead of waiting for ever.
    stdin.close().catch(() => {});
    const drained = Promise.all([read(stdout, this.#output), read(stderr, this.#output)]);
    const exit = await exited;
    const durationMs = this.#elapsedMs();
    await settlesWithin(drained, DRAIN_MS);
    await this.#process[Symbol.asyncDispose]();
    this.#exit = { ...exit, durationMs };
  }
}
