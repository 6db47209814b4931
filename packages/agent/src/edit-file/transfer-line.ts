import { commonSequence } from "./common-sequence.ts";
import { indentOf, type MatchedLine } from "./indentation.ts";

/** Words with combining marks, runs of white space, and single other characters. */
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

interface Run {
  /** Index of its first token in the wanted line. */
  readonly left: number;
  /** Index of its first token in the new line. */
  readonly right: number;
  readonly length: number;
}

/** Returns the tokens common to the wanted and the new line, as contiguous runs. */
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
  /** Whether any word of the matched line is kept. */
  readonly sharesWord: boolean;
}

/** Returns the new text, with unchanged parts as in the file. */
function transferBody(wanted: string, found: string, inserted: string): TransferredBody {
  const [old, own, changed] = [tokensOf(wanted), tokensOf(found), tokensOf(inserted)];
  let sharesWord = false;
  if (old.length !== own.length) return { body: inserted, sharesWord };
  for (const { left, right, length } of commonRuns(old, changed)) {
    // Common punctuation alone does not indicate an unchanged part, unless it is at the start or end of the line.
    const touchesEnd =
      (left === 0 && right === 0) || (left + length === old.length && right + length === changed.length);
    const hasWord = old.slice(left, left + length).some((token) => WORD.test(token));
    sharesWord ||= hasWord;
    if (!touchesEnd && !hasWord) continue;
    for (let index = 0; index < length; index += 1) changed[right + index] = own[left + index] ?? "";
  }
  return { body: changed.join(""), sharesWord };
}

/**
 * Returns a line that replaces a matched one. Unchanged parts and unchanged indentation are kept as in the file.
 * `indentation` converts new indentation.
 */
export function transferLine(
  { wanted, found }: MatchedLine,
  inserted: string,
  indentation: (indent: string) => string,
): string {
  const [old, own, changed] = [partsOf(wanted), partsOf(found), partsOf(inserted)];
  const indent = changed.indent === old.indent ? own.indent : indentation(changed.indent);
  const { body, sharesWord } = transferBody(old.body, own.body, changed.body);
  const trailing = sharesWord && changed.trailing === old.trailing ? own.trailing : changed.trailing;
  return body === "" ? changed.indent + changed.trailing : indent + body + trailing;
}
