import { Buffer } from "node:buffer";
import type { OutputReference, OutputSpool, SpooledOutput } from "@switchyard/contracts";
import type { ToolOutcome } from "./tool-outcome.ts";

/**
 * Maximum output size in an event, in bytes. Larger outputs are stored in a file of the run. See architecture: decision
 * 10.
 */
const MAX_EVENT_BYTES = 256 * 1024;
/** Length of the head and of the tail of a large output in an event, in characters each. */
const END_CHARS = 64 * 1024;
/** Maximum UTF-8 bytes for one UTF-16 code unit. */
const BYTES_PER_CHARACTER = 3;

function isLarge(text: string): boolean {
  // Avoids counting the bytes of texts that certainly fit.
  return text.length * BYTES_PER_CHARACTER > MAX_EVENT_BYTES && Buffer.byteLength(text) > MAX_EVENT_BYTES;
}

/** Returns head and tail of a text, with a note of how many characters are omitted. Never splits a surrogate pair. */
function endsOf(text: string): string {
  const from = /[\udc00-\udfff]/.test(text.charAt(text.length - END_CHARS)) ? END_CHARS - 1 : END_CHARS;
  const to = /[\ud800-\udbff]/.test(text.charAt(END_CHARS - 1)) ? END_CHARS - 1 : END_CHARS;
  const missing = text.length - from - to;
  return `${text.slice(0, to)}\n[... ${missing} characters are left out here; the whole output is kept with the run ...]\n${text.slice(-from)}`;
}

/** Buffers output of a tool and opens a file only when the output becomes too large for an event. */
export class LargeOutput {
  readonly #spool: OutputSpool;
  readonly #callId: string;
  #waiting: string[] = [];
  #waitingChars = 0;
  #opened: SpooledOutput | undefined;

  /** Creates a buffer for one call's output. The file is opened only when it is needed. */
  constructor(spool: OutputSpool, callId: string) {
    this.#spool = spool;
    this.#callId = callId;
  }

  /** Appends a chunk of output. */
  write(text: string): void {
    if (this.#opened !== undefined) {
      this.#opened.write(text);
      return;
    }
    this.#waiting.push(text);
    this.#waitingChars += text.length;
    if (this.#waitingChars > MAX_EVENT_BYTES / BYTES_PER_CHARACTER) this.#openIfLarge();
  }

  /** Resolves with a reference to the file, or `undefined` if the output fits an event. Rejects if writing failed. */
  async finish(): Promise<OutputReference | undefined> {
    return this.#opened?.finish();
  }

  #openIfLarge(): void {
    const text = this.#waiting.join("");
    this.#waiting = [text];
    if (!isLarge(text)) return;
    this.#waiting = [];
    this.#opened = this.#spool.open(this.#callId);
    this.#opened.write(text);
  }
}

/**
 * Output for the end event of a call: the complete output, or head and tail with a reference to the complete output.
 */
export type SpooledOutcome = Pick<ToolOutcome, "content" | "outputRef"> & {
  /** Error of storing the output. If set, the event carries the complete output. */
  readonly error?: unknown;
};

/** Returns whether an outcome needs to be stored outside the event. Cheap for small outcomes. */
export function isLargeOutcome({ content, outputRef }: ToolOutcome): boolean {
  return outputRef !== undefined || isLarge(content);
}

/**
 * Stores a large output with the run, unless the tool already stored it. Never rejects. See architecture: decision 10.
 */
export async function spoolOutput(outcome: ToolOutcome, spool: OutputSpool, callId: string): Promise<SpooledOutcome> {
  const { content, outputRef } = outcome;
  try {
    const reference = outputRef ?? (await writeOutput(content, spool.open(callId)));
    return { content: isLarge(content) ? endsOf(content) : content, outputRef: reference };
  } catch (error) {
    return { content, error };
  }
}

function writeOutput(content: string, output: SpooledOutput): Promise<OutputReference> {
  output.write(content);
  return output.finish();
}
