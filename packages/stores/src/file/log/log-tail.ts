import type { FileHandle } from "node:fs/promises";
import { openLine } from "../../codec/sealed-text.ts";

/** Byte that ends a line. */
export const LINE_END = 0x0a;
const WINDOW_BYTES = 64 * 1024;

/**
 * What is behind the last line end of a log. `none`: nothing. `whole`: a line that only lacks its end. `damaged`: a
 * line whose end was changed. `torn`: a line whose writer died before it was acknowledged.
 */
export type TailKind = "none" | "whole" | "damaged" | "torn";

/** How a log ends. */
export interface LogTail {
  readonly kind: TailKind;
  /** Bytes up to and with the last line end. */
  readonly wholeBytes: number;
  /** Bytes of the file. */
  readonly size: number;
}

/** What the bytes behind the last line end are. */
export function tailKind(bytes: Uint8Array): TailKind {
  if (bytes.length === 0) return "none";
  if (openLine(bytes).kind === "whole") return "whole";
  return openLine(bytes.subarray(0, -1)).kind === "whole" ? "damaged" : "torn";
}

/** The lines of a log from the last one on, without their ends; what is behind the last line end comes first. */
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

/** How a log ends. Throws what the file system throws. */
export async function readLogTail(file: FileHandle): Promise<LogTail> {
  const { size } = await file.stat();
  for await (const bytes of linesBackwards(file)) {
    return { kind: tailKind(bytes), wholeBytes: size - bytes.length, size };
  }
  return { kind: "none", wholeBytes: 0, size };
}
