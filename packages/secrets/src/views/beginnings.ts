import { BASE64_VALUES } from "./base64-reader.ts";
import { mayBegin } from "./text-gate.ts";

const DIGITS = "0123456789";
const HEX_LETTERS = "abcdefABCDEF";
const INTRODUCERS = "\\%&^\u001b";

function bytesOf(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * Returns true if a base64 character with this value may contain the first bits of a byte whose entry in `table` is 1.
 * In a group of four characters, a byte starts in the first, second or third character.
 */
function mayBeginInGroup(table: Uint8Array, value: number): boolean {
  return [4, 16, 64].some((count) => mayBegin(table, (value * count) & 0xff, count));
}

/**
 * Returns the bytes with which a secret may start, as one table for each depth of nested encodings. The first table is
 * for plain text. A mask stream holds back only text that starts with one of these bytes. `first`: first bytes of
 * secrets. `isWide`: secrets contain non-ASCII characters.
 */
export function findBeginnings(first: Uint8Array, isWide: boolean, depths: number): readonly Uint8Array[] {
  const tables: Uint8Array[] = [];
  for (let depth = depths; depth >= 0; depth -= 1) {
    const table = first.slice();
    for (const byte of bytesOf(INTRODUCERS)) table[byte] = 1;
    const inner = tables[0];
    if (inner !== undefined) {
      for (const byte of bytesOf(isWide ? DIGITS + HEX_LETTERS : DIGITS)) table[byte] = 1;
      for (const [byte, value] of BASE64_VALUES.entries()) {
        if (value < 64 && mayBeginInGroup(inner, value)) table[byte] = 1;
      }
    }
    tables.unshift(table);
  }
  return tables;
}
