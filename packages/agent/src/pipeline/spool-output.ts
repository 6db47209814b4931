import { Buffer } from "node:buffer";
import type { OutputReference, OutputSpool, SpooledOutput } from "@switchyard/contracts";
import type { ToolOutcome } from "./tool-outcome.ts";

/**
 * Maximum size of an output in an event, in bytes. Larger outputs are stored in a file of the run. architecture:
 * decision 10.
 */
const MAX_EVENT_BYTES = 256 * 1024;
/** Number of characters of the head and the tail that an event contains of a larger output. */
const END_CHARS = 64 * 1024;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const BYTES_PER_CHARACTER = 3;

function isLarge(text: string): boolean {
  // Bytes are only counted if there may be too many.
  return text.length * BYTES_PER_CHARACTER > MAX_EVENT_BYTES && Buffer.byteLength(text) > MAX_EVENT_BYTES;
}

/**
 * Returns the head and tail of a text, with a line between them that names the missing size. Does not split surrogate
 * pairs.
 */
function endsOf(text: string): string {
  const from = /[\udc00-\udfff]/.test(text.charAt(text.length - END_CHARS)) ? END_CHARS - 1 : END_CHARS;
  const to = /[\ud800-\udbff]/.test(text.charAt(END_CHARS - 1)) ? END_CHARS - 1 : END_CHARS;
  const missing = text.length - from - to;
  return `${text.slice(0, to)}\n[... ${missing} characters are left out here; the whole output is kept with the run ...]\n${text.slice(-from)}`;
}

/** Output of a tool that is written to a file once it is too large for an event. */
export class LargeOutput {
  readonly #spool: OutputSpool;
  readonly #callId: string;
  #waiting: string[] = [];
  #waitingChars = 0;
  #opened: SpooledOutput | undefined;

  /** Opens nothing until it is needed. */
  constructor(spool: OutputSpool, callId: string) {
    this.#spool = spool;
    this.#callId = callId;
  }

  /** Adds a chunk. */
  write(text: string): void {
    if (this.#opened !== undefined) {
      this.#opened.write(text);
      return;
    }
    this.#waiting.push(text);
    this.#waitingChars += text.length;
    if (this.#waitingChars > MAX_EVENT_BYTES / BYTES_PER_CHARACTER) this.#openIfLarge();
  }

  /** Returns the stored file. `undefined` if none was needed. Rejects with storage errors. */
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

/** Output in the form of the end event: complete, or head and tail with a reference to the stored output. */
export type SpooledOutcome = Pick<ToolOutcome, "content" | "outputRef"> & {
  /** Storage error. The event then contains the complete output. */
  readonly error?: unknown;
};

/** Returns whether an outcome must be stored. Cheap for small outcomes. */
export function isLargeOutcome({ content, outputRef }: ToolOutcome): boolean {
  return outputRef !== undefined || isLarge(content);
}

/**
 * Stores a large output with the run, unless the tool has already done so. Never rejects. architecture: decision 10.
 */
export async function spoolOutput(outcome: ToolOutcome, spool: OutputSpool, callId: string): Promise<SpooledOutcome> {
  const { content, outputRef } = outcome;
  try {
    const kept = outputRef ?? (await writeWhole(content, spool.open(callId)));
    return { content: isLarge(content) ? endsOf(content) : content, outputRef: kept };
  } catch (error) {
    return { content, error };
  }
}

function writeWhole(content: string, output: SpooledOutput): Promise<OutputReference> {
  output.write(content);
  return output.finish();
}
