import { Buffer } from "node:buffer";
import { assertUnique } from "./assert-unique.ts";
import { BARE_LINE_FEED } from "./line-end.ts";
import type { Replacement } from "./replacement.ts";
import { type Splice, spliceBytes } from "./splice-bytes.ts";

/** Bytes after a replacement. */
export interface ReplacedBytes {
  readonly bytes: Uint8Array;
  /** How many occurrences were replaced. */
  readonly count: number;
}

/** What comes before the text of a file that has a byte order mark. */
const MARK = Buffer.from("\uFEFF");
const CARRIAGE_RETURN = 13;

/**
 * Replaces a text that stands in a UTF-8 file as it is, without decoding the file: a change of one line of a large file
 * costs little more than a copy of it. Nothing where the text is not there like that, or the line ends of the file have
 * to be known; `replaceText` then says what is to be done. The given bytes are used up. Throws `edit.text_not_unique`. loop: edit_file, §3.3.
 */
export function replaceBytes(bytes: Buffer, replacement: Replacement, path: string): ReplacedBytes | undefined {
  const { oldText, newText } = replacement;
  // Half a surrogate pair has no bytes of its own, and the mark is no part of the text.
  if (!oldText.isWellFormed() || oldText === "") return undefined;
  // New lines get the file's line end.
  if (BARE_LINE_FEED.test(newText) && !BARE_LINE_FEED.test(oldText)) return undefined;
  // The line end that the text begins with may be half of one.
  if (oldText.startsWith("\n") && bytes.includes(CARRIAGE_RETURN)) return undefined;
  const [wanted, inserted] = [Buffer.from(oldText), Buffer.from(newText)];
  const splices: Splice[] = [];
  const first = bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
  for (let start = bytes.indexOf(wanted, first); start !== -1; ) {
    const end = start + wanted.length;
    splices.push({ start, end, inserted });
    start = bytes.indexOf(wanted, end);
  }
  const count = splices.length;
  const [found] = splices;
  if (found === undefined) return undefined;
  // A second place may share a part with the first.
  const isTwice = count === 1 && !replacement.replaceAll && bytes.includes(wanted, found.start + 1);
  assertUnique(isTwice ? 2 : count, replacement, path);
  return { bytes: spliceBytes(bytes, splices), count };
}
