import { closeSync, fstatSync, ftruncateSync, readSync } from "node:fs";
import type { ByteWindow, WindowText } from "../../../output/byte-window.ts";
import { createByteWindow } from "../../../output/byte-window.ts";
import type { HolePuncher } from "./punch-hole.ts";
import { openNameless } from "./spool-folder.ts";

/**
 * Number of bytes between the head and the tail of a command's output at which the disk space of these bytes is
 * released. Only the head and the tail are read.
 */
const QUOTA_BYTES = 64 * 2 ** 20;
/** Disk space can be released only in whole pages. */
const PAGE_BYTES = 4096;
const CHUNK_BYTES = 64 * 1024;

/** File that receives one output stream of a command. */
export interface SpoolFile {
  readonly descriptor: number;
  /** Releases the disk space of the bytes between the head and the tail of the output, if they exceed the quota. */
  shrink(): void;
  /** Returns the head and tail of the output. */
  read(): WindowText;
  /** Closes the file once no operation uses it. */
  close(): Promise<void>;
}

/** Opens an unnamed file for output in a folder. Throws system errors. */
export function openSpoolFile(folder: string, maxChars: number, punch: HolePuncher): SpoolFile {
  const descriptor = openNameless(folder);
  const window = createByteWindow(maxChars);
  let punchedUntil = Math.ceil(window.ends / PAGE_BYTES) * PAGE_BYTES;
  let work: Promise<void> | undefined;
  let canPunch = true;
  let hasHead = false;
  const takeHead = (size: number): number => {
    if (hasHead) return 0;
    hasHead = true;
    return readInto(descriptor, window, { from: 0, length: Math.min(size, window.ends) });
  };
  /**
   * Empties the file. Used only if the file system cannot release the space of a byte range. Bytes that the command
   * writes at the same moment are lost and not counted.
   */
  const empty = (size: number): void => {
    window.skip(size - takeHead(size));
    ftruncateSync(descriptor, 0);
  };
  const giveBack = async (size: number): Promise<void> => {
    const until = Math.floor((size - window.ends) / PAGE_BYTES) * PAGE_BYTES;
    canPunch = await punch(descriptor, punchedUntil, until - punchedUntil);
    punchedUntil = until;
    work = undefined;
  };
  return {
    descriptor,
    shrink() {
      const { size } = fstatSync(descriptor);
      if (work !== undefined || size - window.ends - punchedUntil < QUOTA_BYTES) return;
      if (canPunch) work = giveBack(size);
      else empty(size);
    },
    read() {
      const { size } = fstatSync(descriptor);
      const head = takeHead(size);
      const tail = Math.min(size - head, window.ends);
      window.skip(size - head - tail);
      readInto(descriptor, window, { from: size - tail, length: tail });
      return window.toText();
    },
    async close() {
      await work;
      closeSync(descriptor);
    },
  };
}

/**
 * Reads a byte range of the file into `window`, the buffer for the head and tail of the output. Returns the number of
 * bytes read.
 */
function readInto(descriptor: number, window: ByteWindow, { from, length }: { from: number; length: number }): number {
  if (length === 0) return 0;
  const chunk = Buffer.allocUnsafe(Math.min(length, CHUNK_BYTES));
  let done = 0;
  while (done < length) {
    const count = readSync(descriptor, chunk, 0, Math.min(chunk.length, length - done), from + done);
    if (count === 0) break;
    window.write(chunk.subarray(0, count));
    done += count;
  }
  return done;
}
