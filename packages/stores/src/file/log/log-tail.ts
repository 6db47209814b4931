import type { FileHandle } from "node:fs/promises";
import { openLine } from "../../codec/sealed-text.ts";

/** Byte that ends a line. */
export const LINE_END = 0x0a;
const WINDOW_BYTES = 64 * 1024;

/**
 * Kind of text after the last line ending of a log. `none`: no text. `whole`: a valid line without a line ending.
 * `damaged`: a valid line whose line ending was changed. `torn`: part of a line that was never acknowledged, because
 * its writer died.
 */
export type TailKind = "none" | "whole" | "damaged" | "torn";

/** End of a log. */
export interface LogTail {
  readonly kind: TailKind;
  /** Number of bytes up to and including the last line ending. */
  readonly completeBytes: number;
  /** Size of the file, in bytes. */
  readonly size: number;
}

/** Classifies the bytes after the last line ending of a log. Returns `none` if there are no bytes. */
export function tailKind(bytes: Uint8Array): TailKind {
  if (bytes.length === 0) return "none";
  if (openLine(bytes).kind === "whole") return "whole";
  return openLine(bytes.subarray(0, -1)).kind === "whole" ? "damaged" : "torn";
}

/**
 * Yields the lines of a log from the last to the first, without line endings. Bytes after the last line ending come
 * first.
 */
export async function* linesBackwards(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  let position = (await file.stat()).size;
  let line: Buffer[] = [];
  while (position > 0) {
    const window = Buffer.alloc(Math.min(WINDOW_BYTES, position));
    position -= window.length;
    const { bytesRead } = await file.read(window, 0, window.length, position);
    let end = bytesRead;
    for (let at = window.lastIndexOf(LINE_END, end - 1); at >= 0 && end > 0; ) {
      yield Buffer.concat([window.subarray(at + 1, end), ...line]);
      line = [];
      end = at;
      at = end === 0 ? -1 : window.lastIndexOf(LINE_END, end - 1);
    }
    line.unshift(window.subarray(0, end));
  }
  yield Buffer.concat(line);
}

/** Resolves with the state of the last line of a log, and with the sizes. Throws file system errors. */
export async function readLogTail(file: FileHandle): Promise<LogTail> {
  const { size } = await file.stat();
  for await (const bytes of linesBackwards(file)) {
    return { kind: tailKind(bytes), completeBytes: size - bytes.length, size };
  }
  return { kind: "none", completeBytes: 0, size };
}
