import { Buffer } from "node:buffer";
import { type Splice, spliceBytes } from "../edit-file/splice-bytes.ts";
import type { Hunk } from "./patch.ts";

/** UTF-8 byte order mark at the start of a file. */
const MARK = Buffer.from("\uFEFF");
const EMPTY = Buffer.alloc(0);
const LINE_FEED = "\n";
const CARRIAGE_RETURN = 13;

/**
 * Applies the hunks of one file without decoding it, so patching a large file costs little more than copying it.
 * Requires exact matches. Returns `undefined` if it cannot apply the hunks at byte level, for example in a file with
 * CRLF line ends. Callers then use `applyHunks`, which gives the same result wherever both apply. The buffer may be
 * modified. See loop: Appendix A.
 */
export function patchBytes(bytes: Buffer, hunks: readonly Hunk[]): Uint8Array | undefined {
  // Only the text-based implementation converts line ends, which a file with CRLF line ends requires.
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

/** Appends the byte replacements for a hunk whose position in the file is known. Returns the offset after the hunk. */
function spliceHunk({ lines }: Hunk, at: number, splices: Splice[]): number {
  let end = at;
  for (const { kind, text } of lines) {
    const start = end;
    const line = Buffer.from(text + LINE_FEED);
    if (kind !== "add") end += line.length;
    if (kind !== "context") splices.push({ start, end, inserted: kind === "add" ? line : EMPTY });
  }
  return end;
}

/** Returns the offset after the line of a hunk's last context hint. `undefined` if a hint is not found. */
function followHints(bytes: Buffer, hints: readonly string[], from: number): number | undefined {
  let contextEnd = from;
  for (const hint of hints) {
    const wanted = toBytes([hint]);
    const found = wanted === undefined ? undefined : findLines(bytes, wanted, contextEnd);
    if (wanted === undefined || found === undefined) return undefined;
    contextEnd = found + wanted.length;
  }
  return contextEnd;
}

/** Returns the context and removed lines of a hunk. `undefined` if the hunk cannot be located by its bytes alone. */
function wantedBytes({ isAtEnd, lines }: Hunk): Buffer | undefined {
  const wanted = lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);
  if (isAtEnd || wanted.length === 0 || toBytes(lines.map(({ text }) => text)) === undefined) return undefined;
  return toBytes(wanted);
}

/**
 * Encodes complete lines. `undefined` for a lone surrogate, which UTF-8 cannot encode, and for a line end inside a
 * line.
 */
function toBytes(lines: readonly string[]): Buffer | undefined {
  if (lines.some((line) => !line.isWellFormed() || /[\r\n]/.test(line))) return undefined;
  return Buffer.from(lines.join(LINE_FEED) + LINE_FEED);
}

/** Returns the offset at which the given consecutive lines occur in the file. `from` must be the start of a line. */
function findLines(bytes: Buffer, wanted: Buffer, from: number): number | undefined {
  if (bytes.subarray(from, from + wanted.length).equals(wanted)) return from;
  // The preceding line feed ensures that the match starts at the beginning of a line.
  const at = bytes.indexOf(Buffer.concat([Buffer.from(LINE_FEED), wanted]), from);
  return at === -1 ? undefined : at + 1;
}
