import type { Span } from "./span.ts";

/**
 * Names that a redactor's function `isSecretWord` accepts. `default`: the names that the default rules accept. `any`:
 * the caller replaced the function, so every name may be accepted.
 */
export type SecretWords = "default" | "any";

/**
 * Matches in every line that may contain the name of a credential. Such a name ends with one of these words, optionally
 * with a suffix such as `id`. The words are those of the patterns in `redaction-rules.ts` and `ambiguous-names.ts`.
 * Also matches full-width and invisible characters, which could disguise a word: `toUpperSnake` converts or removes
 * them before names are compared.
 */
const WORD =
  /(?:key|token|secret|passw(?:or)?d|passphrase|passcode|pass|pwd?|credentials?|creds|auth(?:orization)?|cookie|pin|sig(?:nature)?|private|seed|phrase|mnemonic|webhook)(?:[^A-Za-z0-9\s]{0,80}(?:id|value|header|env|ur[il]))?(?![A-Za-z0-9_])|[\uff10-\uff5a\p{Default_Ignorable_Code_Point}]/giu;

/** Number of lines after a name in which the value of the name may start. */
const LINES_AFTER = 4;

/**
 * Returns the end of a stretch of lines: the line that contains the index `from`, and the next `LINES_AFTER` lines.
 * Excludes the last line end.
 */
function endOfLines(text: string, from: number): number {
  let end = text.indexOf("\n", from);
  for (let lines = 0; lines < LINES_AFTER && end !== -1; lines += 1) end = text.indexOf("\n", end + 1);
  return end === -1 ? text.length : end;
}

/**
 * Returns the parts of a text that must be searched for credentials, in order. Each part consists of a line that may
 * contain the name of a credential, and the next `LINES_AFTER` lines, in which the value may start. Overlapping parts
 * are merged. If `words` is `any`, returns the whole text.
 */
export function stretchesWithWords(text: string, words: SecretWords): readonly Span[] {
  if (words === "any") return [{ start: 0, end: text.length }];
  const stretches: { start: number; end: number }[] = [];
  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const last = stretches.at(-1);
    const end = endOfLines(text, match.index);
    if (last !== undefined && match.index <= last.end) last.end = end;
    else stretches.push({ start: text.lastIndexOf("\n", match.index) + 1, end });
    // The rest of the line needs no search.
    const lineEnd = text.indexOf("\n", match.index);
    if (lineEnd === -1) break;
    WORD.lastIndex = lineEnd;
  }
  return stretches;
}
