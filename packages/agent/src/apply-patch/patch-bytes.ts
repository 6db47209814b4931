import { Buffer } from "node:buffer";
import { type Splice, spliceBytes } from "../edit-file/splice-bytes.ts";
import type { Hunk } from "./patch.ts";

/** Byte order mark. */
const MARK = Buffer.from("\uFEFF");
const NOTHING = Buffer.alloc(0);
const LINE_FEED = "\n";
const CARRIAGE_RETURN = 13;

/**
 * Applies the hunks of a file without decoding it, if their lines match exactly: patching a large file costs little
 * more than copying it. Returns `undefined` if that is not possible or not certain; `applyHunks` then decides, with the
 * same result where both apply. May modify the given bytes. loop: Appendix A.
 */
export function patchBytes(bytes: Buffer, hunks: readonly Hunk[]): Uint8Array | undefined {
  // Files with CRLF line ends are left to `applyHunks`, which preserves the line end of each line.
  if (bytes.includes(CARRIAGE_RETURN)) return undefined;
  const splices: Splice[] = [];
  let from = bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
  for (const hunk of hunks) {
    const start = followHints(bytes, hunk.hints, from);
    const wanted = wantedBytes(hunk);
    const at = start === undefined || wanted === undefined ? undefined : findLines(bytes, wanted, start);
    if (at === undefined) return undefined;
    from = spliceHunk(hunk, at, splices);
  }
  return spliceBytes(bytes, splices);
}

/** Adds the changes of a hunk at a position. Returns the position after the hunk. */
function spliceHunk({ lines }: Hunk, at: number, splices: Splice[]): number {
  let end = at;
  for (const { kind, text } of lines) {
    const start = end;
    const line = Buffer.from(text + LINE_FEED);
    if (kind !== "add") end += line.length;
    if (kind !== "context") splices.push({ start, end, inserted: kind === "add" ? line : NOTHING });
  }
  return end;
}

/** Returns the position after the last hint's line. */
function followHints(bytes: Buffer, hints: readonly string[], from: number): number | undefined {
  let behind = from;
  for (const hint of hints) {
    const wanted = toBytes([hint]);
    const found = wanted === undefined ? undefined : findLines(bytes, wanted, behind);
    if (wanted === undefined || found === undefined) return undefined;
    behind = found + wanted.length;
  }
  return behind;
}

/** Returns the lines that a hunk matches. `undefined` if it has further conditions. */
function wantedBytes({ isAtEnd, lines }: Hunk): Buffer | undefined {
  const wanted = lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);
  if (isAtEnd || wanted.length === 0 || toBytes(lines.map(({ text }) => text)) === undefined) return undefined;
  return toBytes(wanted);
}

/** Encodes complete lines. `undefined` for an unpaired surrogate, which has no UTF-8 encoding. */
function toBytes(lines: readonly string[]): Buffer | undefined {
  if (lines.some((line) => !line.isWellFormed() || /[\r\n]/.test(line))) return undefined;
  return Buffer.from(lines.join(LINE_FEED) + LINE_FEED);
}

/** Finds complete lines, starting at the beginning of a line. */
function findLines(bytes: Buffer, wanted: Buffer, from: number): number | undefined {
  if (bytes.subarray(from, from + wanted.length).equals(wanted)) return from;
  // The preceding line end ensures that only the beginning of a line matches.
  const at = bytes.indexOf(Buffer.concat([Buffer.from(LINE_FEED), wanted]), from);
  return at === -1 ? undefined : at + 1;
}
