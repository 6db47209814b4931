import { Buffer, isUtf8 } from "node:buffer";
import { nameOtherEncoding } from "./name-other-encoding.ts";
import type { DetectedFormat, TextEncoding } from "./text-format.ts";

const UTF8_MARK = Buffer.from("\uFEFF");

/**
 * Matches control characters that indicate a binary file. Tab, line ends, form feed, backspace and escape also occur in
 * text files.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern finds control characters.
const BINARY_CONTROL = /[\0-\x07\x0e-\x1a\x1c-\x1f\x7f]/;

function text(encoding: TextEncoding, hasMark: boolean): DetectedFormat {
  return { kind: "text", format: { encoding, hasMark } };
}

function startsWith(bytes: Buffer, ...start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Decodes bytes as UTF-16, including lone surrogates. */
export function decodeUtf16(bytes: Buffer, encoding: "UTF-16LE" | "UTF-16BE"): string {
  if (encoding === "UTF-16LE") return bytes.toString("utf16le");
  return Buffer.from(bytes).swap16().toString("utf16le");
}

function utf16(bytes: Buffer, encoding: "UTF-16LE" | "UTF-16BE", hasMark: boolean): DetectedFormat {
  if (bytes.length % 2 === 1) {
    return hasMark ? { kind: "unsupported", encoding: `${encoding} with an odd number of bytes` } : { kind: "binary" };
  }
  const decoded = decodeUtf16(bytes, encoding);
  const isText = !BINARY_CONTROL.test(decoded) && (hasMark || decoded.isWellFormed());
  return isText ? text(encoding, hasMark) : { kind: "binary" };
}

/**
 * Detects UTF-16 without a byte order mark. In Latin text, every second byte is NUL, always at even or always at odd
 * offsets.
 */
function markless(bytes: Buffer): DetectedFormat {
  let [even, odd] = [0, 0];
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) {
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const isMostlyLatin = Math.max(even, odd) * 4 >= bytes.length;
  if (!isMostlyLatin || Math.min(even, odd) > 0) return { kind: "binary" };
  return utf16(bytes, odd > 0 ? "UTF-16LE" : "UTF-16BE", false);
}

function eightBit(bytes: Buffer): DetectedFormat {
  const byteText = bytes.toString("latin1");
  if (BINARY_CONTROL.test(byteText)) return { kind: "binary" };
  const other = nameOtherEncoding(bytes, byteText);
  if (other !== undefined) return { kind: "unsupported", encoding: other };
  return text(/[\u0080-\u009f]/.test(byteText) ? "Windows-1252" : "Latin-1", false);
}

/** Detects the encoding of a file from its complete content. */
export function detectFormat(bytes: Buffer): DetectedFormat {
  if (startsWith(bytes, 0xff, 0xfe, 0, 0) || startsWith(bytes, 0, 0, 0xfe, 0xff)) {
    return bytes.length % 4 === 0 ? { kind: "unsupported", encoding: "UTF-32" } : { kind: "binary" };
  }
  const hasNul = bytes.includes(0);
  if (!hasNul && isUtf8(bytes)) return text("UTF-8", bytes.subarray(0, UTF8_MARK.length).equals(UTF8_MARK));
  if (startsWith(bytes, 0xff, 0xfe)) return utf16(bytes, "UTF-16LE", true);
  if (startsWith(bytes, 0xfe, 0xff)) return utf16(bytes, "UTF-16BE", true);
  return hasNul ? markless(bytes) : eightBit(bytes);
}
