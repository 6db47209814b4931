import { Buffer } from "node:buffer";
import { type Splice, spliceBytes } from "../edit-file/splice-bytes.ts";
import type { Hunk } from "./patch.ts";

/** What comes before the text of a file that has a byte order mark. */
const MARK = Buffer.from("\uFEFF");
const NOTHING = Buffer.alloc(0);
const LINE_FEED = "\n";
const CARRIAGE_RETURN = 13;

/**
 * Applies the hunks of one file whose lines stand in it as they are, without decoding the file: a patch of a large file
 * costs little more than a copy of it. Nothing where that is not so, or not known that simply; `applyHunks` then says
 * what is to be done, and does the very same where both can. The given bytes are used up. loop: Appendix A.
 */
export function patchBytes(bytes: Buffer, hunks: readonly Hunk[]): Uint8Array | undefined {
  // Which line end a line has, and which one new lines get, are questions of their own.
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

/** Adds what a hunk changes where it stands; gives the position behind it. */
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

/** Position behind the last of the lines that lead to a hunk. */
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

/** The lines that a hunk stands on; nothing where it says more than that. */
function wantedBytes({ isAtEnd, lines }: Hunk): Buffer | undefined {
  const wanted = lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);
  if (isAtEnd || wanted.length === 0 || toBytes(lines.map(({ text }) => text)) === undefined) return undefined;
  return toBytes(wanted);
}

/** Whole lines as bytes; nothing for half a surrogate pair, which has none of its own. */
function toBytes(lines: readonly string[]): Buffer | undefined {
  if (lines.some((line) => !line.isWellFormed() || /[\r\n]/.test(line))) return undefined;
  return Buffer.from(lines.join(LINE_FEED) + LINE_FEED);
}

/** Where whole lines begin, from the beginning of a line on. */
function findLines(bytes: Buffer, wanted: Buffer, from: number): number | undefined {
  if (bytes.subarray(from, from + wanted.length).equals(wanted)) return from;
  // With the line end in front only the beginning of a line can be found.
  const at = bytes.indexOf(Buffer.concat([Buffer.from(LINE_FEED), wanted]), from);
  return at === -1 ? undefined : at + 1;
}
