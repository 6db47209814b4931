import type { Buffer } from "node:buffer";
import { isUndefinedByte } from "./windows-1252.ts";

/** Encodings of non-Latin scripts. Every encoding in which the bytes of a file are valid is reported as a candidate. */
const OTHER_ENCODINGS = ["Shift_JIS", "EUC-JP", "GB18030", "Big5", "EUC-KR", "Windows-1251"] as const;

const REPLACEMENT = "\uFFFD";

function decodes(bytes: Buffer, label: string): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether the bytes contain more valid multi-byte UTF-8 characters than invalid bytes. */
function isDamagedUtf8(bytes: Buffer): boolean {
  let [valid, invalid] = [0, 0];
  for (const [character] of bytes.toString("utf8").matchAll(/\P{ASCII}/gu)) {
    if (character === REPLACEMENT) invalid += 1;
    else valid += 1;
  }
  return valid > invalid;
}

/** Returns whether accented letters mostly occur alone or in pairs next to ASCII letters, as in Western text. */
function isWestern(byteText: string): boolean {
  let [western, runs] = [0, 0];
  for (const { 0: run, index } of byteText.matchAll(/[\u0080-\u00ff]+/g)) {
    const neighbours = byteText.slice(Math.max(0, index - 1), index) + byteText.charAt(index + run.length);
    runs += 1;
    if (run.length === 1 || (run.length === 2 && /[A-Za-z]/.test(neighbours))) western += 1;
  }
  return western * 2 >= runs;
}

/**
 * Describes the encoding of text that is neither UTF-8 nor Western. `undefined` for Latin-1 and Windows-1252. The
 * encoding can only be guessed, so the description lists all candidates.
 */
export function nameOtherEncoding(bytes: Buffer, byteText: string): string | undefined {
  if (isDamagedUtf8(bytes)) return "UTF-8 with invalid bytes";
  const isDefined = !bytes.some(isUndefinedByte);
  if (isDefined && isWestern(byteText)) return undefined;
  const candidates = OTHER_ENCODINGS.filter((label) => decodes(bytes, label));
  const list = candidates.length === 0 ? "" : ` (valid as ${candidates.join(", ")})`;
  return `a legacy encoding${list}`;
}
