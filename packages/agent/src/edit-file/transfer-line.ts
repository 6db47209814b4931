import { commonSequence } from "./common-sequence.ts";
import { indentOf, type MatchedLine } from "./indentation.ts";

/** Matches words with their accents, runs of white space, and other single characters. */
const TOKEN = /[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu;
const WORD = /[\p{L}\p{N}_]/u;

function tokensOf(line: string): string[] {
  return line.match(TOKEN) ?? [];
}

interface LineParts {
  readonly indent: string;
  readonly body: string;
  readonly trailing: string;
}

function partsOf(line: string): LineParts {
  const indent = indentOf(line);
  const body = line.slice(indent.length).trimEnd();
  return { indent, body, trailing: line.slice(indent.length + body.length) };
}

/** Sequence of consecutive tokens that occurs in both the old line and the new line of an edit. */
interface Run {
  /** Index, in the old line, of the sequence's first token. */
  readonly left: number;
  /** Index, in the new line, of the sequence's first token. */
  readonly right: number;
  readonly length: number;
}

/** Returns the sequences of consecutive tokens that the old line and the new line of an edit have in common. */
function commonRuns(wanted: readonly string[], inserted: readonly string[]): Run[] {
  const runs: Run[] = [];
  for (const { left, right } of commonSequence(wanted, inserted)) {
    const last = runs.at(-1);
    if (last !== undefined && last.left + last.length === left && last.right + last.length === right) {
      runs[runs.length - 1] = { ...last, length: last.length + 1 };
    } else runs.push({ left, right, length: 1 });
  }
  return runs;
}

interface TransferredBody {
  readonly body: string;
  /** True if the new line contains at least one unchanged word of the matched line. */
  readonly sharesWord: boolean;
}

/** Returns the new line. Parts that the edit does not change are spelled as in the file. */
function transferBody(wanted: string, found: string, inserted: string): TransferredBody {
  const [old, existing, changed] = [tokensOf(wanted), tokensOf(found), tokensOf(inserted)];
  let sharesWord = false;
  if (old.length !== existing.length) return { body: inserted, sharesWord };
  for (const { left, right, length } of commonRuns(old, changed)) {
    // Equal punctuation in the middle of a line does not show that this part is unchanged. Equal words show it, and so
    // do equal tokens at the start or end of the line.
    const touchesEnd =
      (left === 0 && right === 0) || (left + length === old.length && right + length === changed.length);
    const hasWord = old.slice(left, left + length).some((token) => WORD.test(token));
    sharesWord ||= hasWord;
    if (!touchesEnd && !hasWord) continue;
    for (let index = 0; index < length; index += 1) changed[right + index] = existing[left + index] ?? "";
  }
  return { body: changed.join(""), sharesWord };
}

/**
 * Returns the line that replaces a matched one. Parts and indentation that the edit does not change stay as in the
 * file. `indentation` converts a changed indentation to the file's style.
 */
export function transferLine(
  { wanted, found }: MatchedLine,
  inserted: string,
  indentation: (indent: string) => string,
): string {
  const [old, existing, changed] = [partsOf(wanted), partsOf(found), partsOf(inserted)];
  const indent = changed.indent === old.indent ? existing.indent : indentation(changed.indent);
  const { body, sharesWord } = transferBody(old.body, existing.body, changed.body);
  const trailing = sharesWord && changed.trailing === old.trailing ? existing.trailing : changed.trailing;
  return body === "" ? changed.indent + changed.trailing : indent + body + trailing;
}
