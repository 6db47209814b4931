import { Buffer } from "node:buffer";
import type { OutputReference, OutputSpool, SpooledOutput } from "@switchyard/contracts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** Larger outputs go to a file of the run. architecture: decision 10. */
const MAX_EVENT_BYTES = 256 * 1024;
/** Characters of head and tail that an event carries of a larger output. */
const END_CHARS = 64 * 1024;
/** UTF-8 takes at most three bytes for one UTF-16 code unit. */
const BYTES_PER_CHARACTER = 3;

function isLarge(text: string): boolean {
  // Counting bytes is only worth it where there may be too many.
  return text.length * BYTES_PER_CHARACTER > MAX_EVENT_BYTES && Buffer.byteLength(text) > MAX_EVENT_BYTES;
}

/** Head and tail of a text, with a line between them that says how much is missing; no surrogate pair is split. */
function endsOf(text: string): string {
  const from = /[\udc00-\udfff]/.test(text.charAt(text.length - END_CHARS)) ? END_CHARS - 1 : END_CHARS;
  const to = /[\ud800-\udbff]/.test(text.charAt(END_CHARS - 1)) ? END_CHARS - 1 : END_CHARS;
  const missing = text.length - from - to;
  return `${text.slice(0, to)}\n[... ${missing} characters are left out here; the whole output is kept with the run ...]\n${text.slice(-from)}`;
}

/** Output of a tool on its way to a file, which there is only once it is too large for an event. */
export class LargeOutput {
  readonly #spool: OutputSpool;
  readonly #callId: string;
  #waiting: string[] = [];
  #waitingChars = 0;
  #opened: SpooledOutput | undefined;

  /** Nothing is opened before it is needed. */
  constructor(spool: OutputSpool, callId: string) {
    this.#spool = spool;
    this.#callId = callId;
  }

  /** Takes the next piece. */
  write(text: string): void {
    if (this.#opened !== undefined) {
      this.#opened.write(text);
      return;
    }
    this.#waiting.push(text);
    this.#waitingChars += text.length;
    if (this.#waitingChars > MAX_EVENT_BYTES / BYTES_PER_CHARACTER) this.#openIfLarge();
  }

  /** Where it is kept, if it had to be; rejects with what keeping it failed with. */
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

/** What the end event says of an output: the outcome itself, or head and tail with the place where the whole is kept. */
export type SpooledOutcome = Pick<ToolOutcome, "content" | "outputRef"> & {
  /** What keeping the output failed with; the event has it whole then. */
  readonly error?: unknown;
};

/** Whether an outcome has to be kept elsewhere; cheap for all others. */
export function isLargeOutcome({ content, outputRef }: ToolOutcome): boolean {
  return outputRef !== undefined || isLarge(content);
}

/** Keeps a large output with the run, unless the tool has done so. Never rejects. architecture: decision 10. */
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
