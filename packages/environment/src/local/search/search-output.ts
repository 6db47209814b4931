import { closeSync, readSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { findSpoolFolder, openNameless } from "../process/spool/spool-folder.ts";

/**
 * Minimum and maximum polling interval, in milliseconds. The interval doubles after each poll that finds no new output.
 */
const [FIRST_LOOK_MS, LAST_LOOK_MS] = [10, 80];
const CHUNK_BYTES = 64 * 1024;

/**
 * Unnamed files that receive ripgrep's output instead of pipes. With a pipe, this process would need an event loop turn
 * for each flushed line; polling a file reads many lines at once.
 */
export interface SearchOutput {
  /** Descriptors for ripgrep. */
  readonly stdout: number;
  readonly stderr: number;
  /** Passes new output to a function until the process has ended or the function returns false. */
  follow(sink: (chunk: Buffer) => boolean, ended: Promise<unknown>): Promise<void>;
  /** Returns the beginning of standard error. */
  readProblem(maxBytes: number): string;
  close(): void;
}

/**
 * Opens unnamed files for ripgrep's output. `undefined` if there is too little disk space, or unnamed files are not
 * supported.
 */
export function openSearchOutput(): SearchOutput | undefined {
  const folder = findSpoolFolder();
  const stdout = folder === undefined ? undefined : attempt(() => openNameless(folder));
  const stderr = folder === undefined ? undefined : attempt(() => openNameless(folder));
  if (stdout === undefined || stderr === undefined) {
    for (const descriptor of [stdout, stderr]) if (descriptor !== undefined) closeSync(descriptor);
    return undefined;
  }
  return {
    stdout,
    stderr,
    follow: (sink, ended) => followFile(stdout, sink, ended),
    readProblem(maxBytes) {
      const bytes = Buffer.alloc(maxBytes);
      return bytes.toString("utf8", 0, readSync(stderr, bytes, 0, bytes.length, 0));
    },
    close() {
      closeSync(stdout);
      closeSync(stderr);
    },
  };
}

async function followFile(
  descriptor: number,
  sink: (chunk: Buffer) => boolean,
  ended: Promise<unknown>,
): Promise<void> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let isOver = false;
  let wake = (): void => {};
  void ended.then(() => {
    isOver = true;
    wake();
  });
  let lookMs = FIRST_LOOK_MS;
  for (let at = 0; ; ) {
    // If ripgrep has exited, this read returns all remaining output.
    const isLast = isOver;
    const bytesRead = readSync(descriptor, chunk, 0, chunk.length, at);
    at += bytesRead;
    lookMs = bytesRead > 0 ? FIRST_LOOK_MS : Math.min(lookMs * 2, LAST_LOOK_MS);
    if (bytesRead > 0 && !sink(chunk.subarray(0, bytesRead))) return;
    if (bytesRead === chunk.length) await nextTurn();
    else if (isLast) return;
    else await pause(lookMs, (resolve) => (wake = resolve));
  }
}

async function pause(ms: number, onWait: (wake: () => void) => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
    onWait(resolve);
  });
  clearTimeout(timer);
}

function attempt(open: () => number): number | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
