import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { closeSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { OutputReference, OutputSpool, SpooledOutput } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import { FILE_MODE, FOLDER_MODE, RUN_FILES } from "./run-files.ts";
import { systemCodeOf, toStoreFailure } from "./store-failure.ts";

/** Default size limit of one tool output, in bytes: 1 GiB. See architecture: decision 10. */
const MAX_SPOOL_BYTES = 1024 * 1024 * 1024;
/** Default size limit of all tool outputs of a run together, in bytes: 8 GiB. */
const MAX_TOTAL_BYTES = 8 * MAX_SPOOL_BYTES;
/** Size limit of each further tool output after the limit for all outputs together is reached, in bytes. */
const MIN_BYTES = 1024 * 1024;
/** Maximum size of the stored tail of a truncated output, in bytes. */
const MAX_TAIL_BYTES = 1024 * 1024;
/** Maximum number of output files for one call id. Beyond it, opening a file fails. */
const MAX_NAMES = 1_000;

/** Options for `createOutputFiles`. */
export interface OutputFilesOptions {
  /** Masks secrets. */
  readonly masker: Masker;
  /** Maximum size of one output, in bytes. Larger outputs are reduced to head and tail. Default: 1 GiB. */
  readonly maxBytes?: number | undefined;
  /**
   * Maximum total size of all stored outputs, in bytes. When it is reached, each further output is limited to 1 MiB.
   * Default: 8 GiB.
   */
  readonly maxTotalBytes?: number | undefined;
  /** Signal that stops all writing. It aborts when another process has taken over the run, and thereby the folder. */
  readonly signal?: AbortSignal | undefined;
}

/** Buffer for the last bytes of a stream. Uses a ring buffer, so that many tiny chunks need no allocations. */
class Tail {
  readonly #ring: Buffer;
  #position = 0;
  #filled = 0;

  constructor(limit: number) {
    this.#ring = Buffer.alloc(limit);
  }

  write(piece: Buffer): void {
    const limit = this.#ring.length;
    const retained = piece.subarray(Math.max(0, piece.length - limit));
    const untilEnd = retained.copy(this.#ring, this.#position);
    retained.copy(this.#ring, 0, untilEnd);
    this.#position = limit === 0 ? 0 : (this.#position + retained.length) % limit;
    this.#filled = Math.min(limit, this.#filled + retained.length);
  }

  bytes(): Buffer {
    if (this.#filled < this.#ring.length) return this.#ring.subarray(0, this.#filled);
    return Buffer.concat([this.#ring.subarray(this.#position), this.#ring.subarray(0, this.#position)]);
  }
}

/** One output file, written in bounded memory. Writes synchronously, because the producing command cannot be paused. */
class OutputFile {
  readonly #file: number;
  readonly #maxBytes: number;
  readonly #tailBytes: number;
  #tail: Tail | undefined;
  #bytes = 0;
  /**
   * First half of a surrogate pair that was split between two writes. It is held back, because half a pair cannot be
   * encoded.
   */
  #half = "";

  constructor(path: string, maxBytes: number) {
    this.#file = openSync(path, "wx+", FILE_MODE);
    this.#maxBytes = maxBytes;
    this.#tailBytes = Math.min(MAX_TAIL_BYTES, Math.floor(maxBytes / 2));
  }

  write(text: string): void {
    const complete = this.#half + text;
    const isCut = /[\ud800-\udbff]$/.test(complete);
    this.#half = isCut ? complete.slice(-1) : "";
    this.#put(Buffer.from(isCut ? complete.slice(0, -1) : complete));
  }

  #put(piece: Buffer): void {
    const room = Math.max(0, this.#maxBytes - this.#bytes);
    const fits = piece.subarray(0, room);
    this.#writeAll(fits);
    this.#bytes += piece.length;
    if (fits.length < piece.length) this.#writeTail(piece.subarray(room));
  }

  close(): { readonly bytes: number; readonly truncated: boolean } {
    try {
      if (this.#half !== "") this.#put(Buffer.from(this.#half));
      if (this.#tail !== undefined) this.#cut(this.#tail);
      return { bytes: this.#bytes, truncated: this.#tail !== undefined };
    } finally {
      closeSync(this.#file);
    }
  }

  #writeAll(piece: Buffer): void {
    for (let done = 0; done < piece.length; ) done += writeSync(this.#file, piece, done);
  }

  #writeTail(piece: Buffer): void {
    if (this.#tail === undefined) {
      this.#tail = new Tail(this.#tailBytes);
      // The tail first receives the last bytes of the file. If the output ends soon, they are part of its tail.
      const end = Buffer.alloc(this.#tailBytes);
      const read = readSync(this.#file, end, 0, end.length, this.#maxBytes - end.length);
      this.#tail.write(end.subarray(0, read));
    }
    this.#tail.write(piece);
  }

  #cut(tail: Tail): void {
    const end = tail.bytes();
    const head = this.#maxBytes - this.#tailBytes;
    ftruncateSync(this.#file, head);
    const marker = `\n[... ${this.#bytes - head - end.length} bytes were not kept ...]\n`;
    for (const [piece, at] of [
      [Buffer.from(marker), head],
      [end, head + marker.length],
    ] as const) {
      for (let done = 0; done < piece.length; ) {
        done += writeSync(this.#file, piece, done, piece.length - done, at + done);
      }
    }
  }
}

/** Returns a safe file name for a call. Call ids come from models and may contain any character. */
function stemOf(callId: string): string {
  return /^[A-Za-z0-9_-]{1,100}$/.test(callId)
    ? callId
    : createHash("sha256").update(callId).digest("hex").slice(0, 32);
}

/**
 * Opens a new file for a call. A number is appended if the name is taken: agents of a run may use the same call ids,
 * and an earlier attempt may have left files.
 */
function openFree(folder: string, callId: string, maxBytes: number): { name: string; file: OutputFile } {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const stem = stemOf(callId);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${stem}.txt` : `${stem}.${number}.txt`;
    try {
      return { name, file: new OutputFile(join(folder, name), maxBytes) };
    } catch (error) {
      if (systemCodeOf(error) !== "EEXIST" || number >= MAX_NAMES) throw error;
    }
  }
}

/**
 * Creates the spool for tool outputs that are too large for an event: masked files `outputs/<call id>.txt`. Outputs up
 * to the limit are stored whole, longer ones as head and tail. See architecture: decision 10.
 */
export function createOutputFiles(runFolder: string, options: OutputFilesOptions): OutputSpool {
  const { masker, signal, maxTotalBytes = MAX_TOTAL_BYTES } = options;
  const folder = join(runFolder, RUN_FILES.outputs);
  let room = maxTotalBytes;

  /** Reserves disk space for one output, so that concurrent outputs share the total limit. */
  function reserve(): number {
    const bytes = Math.min(options.maxBytes ?? MAX_SPOOL_BYTES, Math.max(MIN_BYTES, room));
    room -= bytes;
    return bytes;
  }

  function open(callId: string): SpooledOutput {
    let failure: unknown;
    const maxBytes = reserve();
    let opened: { name: string; file: OutputFile } | undefined;
    const masked = masker.stream();
    const put = (text: string): void => {
      if (failure !== undefined || signal?.aborted === true) return;
      try {
        opened ??= openFree(folder, callId, maxBytes);
        if (text !== "") opened.file.write(text);
      } catch (error) {
        failure = error;
      }
    };
    const close = (): OutputReference => {
      put(masked.end());
      room += maxBytes;
      if (opened === undefined) throw toStoreFailure(failure ?? signal?.reason, folder);
      const closed = opened.file.close();
      room -= Math.min(closed.bytes, maxBytes);
      if (failure !== undefined) throw toStoreFailure(failure, join(folder, opened.name));
      return { path: `${RUN_FILES.outputs}/${opened.name}`, ...closed };
    };
    return {
      write: (text) => put(masked.write(text)),
      // The function is async, so that errors thrown by `close` become rejections.
      finish: async () => close(),
    };
  }
  return { open };
}
