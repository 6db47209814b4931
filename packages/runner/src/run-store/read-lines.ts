import { open } from "node:fs/promises";

const WINDOW_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

/** One whole line of a file. */
export interface FileLine {
  /** The line without its end. */
  text: string;
  /** Offset of the byte behind its end. */
  end: number;
}

/** The part of a file to read, in bytes. */
export interface ByteRange {
  /** First byte. */
  from: number;
  /** Byte behind the last one; the end of the file when unset. */
  to?: number | undefined;
}

/**
 * The whole lines in a part of a file, in windows of 64 KiB, so that memory does not grow with the file. A last
 * line without an end is being written, or was when its writer died, and is left out.
 */
export async function* readLines(path: string, range: ByteRange): AsyncGenerator<FileLine, void, undefined> {
  const file = await open(path, "r");
  try {
    const window = Buffer.alloc(WINDOW_BYTES);
    let carried: Buffer[] = [];
    let position = range.from;
    let end = range.from;
    for (;;) {
      const wanted = range.to === undefined ? WINDOW_BYTES : Math.min(WINDOW_BYTES, range.to - position);
      const bytesRead = wanted <= 0 ? 0 : (await file.read(window, 0, wanted, position)).bytesRead;
      if (bytesRead === 0) return;
      position += bytesRead;
      let start = 0;
      for (let at = window.indexOf(LINE_FEED); at >= 0 && at < bytesRead; at = window.indexOf(LINE_FEED, start)) {
        carried.push(window.subarray(start, at));
        const line = Buffer.concat(carried);
        end += line.length + 1;
        carried = [];
        start = at + 1;
        yield { text: line.toString("utf8"), end };
      }
      carried.push(Buffer.from(window.subarray(start, bytesRead)));
    }
  } finally {
    await file.close();
  }
}
