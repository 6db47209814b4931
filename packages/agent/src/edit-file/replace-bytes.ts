import { Buffer } from "node:buffer";
import { assertUnique } from "./assert-unique.ts";
import { BARE_LINE_FEED } from "./line-end.ts";
import type { Replacement } from "./replacement.ts";
import { type Splice, spliceBytes } from "./splice-bytes.ts";

/** Result of a byte-level replacement. */
export interface ReplacedBytes {
  readonly bytes: Uint8Array;
  /** Number of replaced occurrences. */
  readonly count: number;
}

/** UTF-8 byte order mark at the start of a file. */
const MARK = Buffer.from("\uFEFF");
const CARRIAGE_RETURN = 13;

/**
 * Replaces exact matches in a UTF-8 file without decoding it, so editing a large file costs little more than copying
 * it. Returns `undefined` if there is no exact match, or if the result may depend on whether the file's line ends are
 * LF or CRLF. Callers then use `replaceText`. The buffer may be modified. Throws `edit.text_not_unique`. See loop:
 * edit_file, §3.3.
 */
export function replaceBytes(bytes: Buffer, replacement: Replacement, path: string): ReplacedBytes | undefined {
  const { oldText, newText } = replacement;
  // UTF-8 cannot encode a lone surrogate.
  if (!oldText.isWellFormed() || oldText === "") return undefined;
  // The new text adds line feeds, which `replaceText` converts to the file's line ends.
  if (BARE_LINE_FEED.test(newText) && !BARE_LINE_FEED.test(oldText)) return undefined;
  // A line feed at the start of the old text could match the second half of a CRLF.
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
  // Another match that overlaps the first one also makes the old text ambiguous.
  const isTwice = count === 1 && !replacement.replaceAll && bytes.includes(wanted, found.start + 1);
  assertUnique(isTwice ? 2 : count, replacement, path);
  return { bytes: spliceBytes(bytes, splices), count };
}
