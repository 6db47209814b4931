import { legacyByteOf } from "../../search/decode-line.ts";

function hexOf(byte: number): string {
  return `\\x${byte.toString(16).toUpperCase()}`;
}

/**
 * Returns a regular expression that matches a character as UTF-8 bytes, or as a single byte in Latin-1 or Windows-1252.
 */
function eitherForm(character: string, caseInsensitive: boolean): string {
  const forms = caseInsensitive ? [character, character.toLowerCase(), character.toUpperCase()] : [character];
  const bytes = new Set(forms.flatMap((form) => legacyByteOf(form) ?? []));
  return bytes.size === 0 ? character : `(?:${character}|(?-u:[${Array.from(bytes, hexOf).join("")}]))`;
}

/**
 * Extends a pattern so that its non-ASCII characters also match in Latin-1 and Windows-1252 files, because ripgrep
 * compares bytes. Characters in bracket expressions match only in UTF-8.
 */
export function withLegacyBytes(pattern: string, caseInsensitive: boolean): string {
  if (!/[^\0-\x7f]/.test(pattern)) return pattern;
  let written = "";
  let depth = 0;
  let isEscaped = false;
  for (const character of pattern) {
    const isPlain = !isEscaped && depth === 0;
    written += isPlain ? eitherForm(character, caseInsensitive) : character;
    if (isEscaped) isEscaped = false;
    else if (character === "\\") isEscaped = true;
    else if (character === "[") depth += 1;
    else if (character === "]") depth = Math.max(0, depth - 1);
  }
  return written;
}
