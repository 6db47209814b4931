import { Buffer } from "node:buffer";
import { assertUnique } from "./assert-unique.ts";
import { BARE_LINE_FEED } from "./line-end.ts";
import type { Replacement } from "./replacement.ts";
import { type Splice, spliceBytes } from "./splice-bytes.ts";

/** Bytes after a replacement. */
export interface ReplacedBytes {
  readonly bytes: Uint8Array;
  /** Number of replaced occurrences. */
  readonly count: number;
}

/** Byte order mark. */
const MARK = Buffer.from("\uFEFF");
const CARRIAGE_RETURN = 13;

/**
 * Replaces an exact text in a UTF-8 file without decoding it: a small change of a large file costs little more than a
 * copy. Returns `undefined` if the text does not occur exactly or the file's line ends matter; `replaceText` then
 * decides. May modify the given bytes. Throws `edit.text_not_unique`. loop: edit_file, §3.3.
 */
export function replaceBytes(bytes: Buffer, replacement: Replacement, path: string): ReplacedBytes | undefined {
  const { oldText, newText } = replacement;
  // An unpaired surrogate has no encoding, and the byte order mark is not part of the text.
  if (!oldText.isWellFormed() || oldText === "") return undefined;
  // New lines need the file's line end.
  if (BARE_LINE_FEED.test(newText) && !BARE_LINE_FEED.test(oldText)) return undefined;
  // The leading line feed may be part of a CRLF.
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
  // A second occurrence may overlap the first.
  const isTwice = count === 1 && !replacement.replaceAll && bytes.includes(wanted, found.start + 1);
  assertUnique(isTwice ? 2 : count, replacement, path);
  return { bytes: spliceBytes(bytes, splices), count };
}
