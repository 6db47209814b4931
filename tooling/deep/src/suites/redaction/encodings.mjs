// @ts-check
import { Buffer } from "node:buffer";

/** @typedef {(text: string) => string} Encoding Encodes a text of ASCII characters. */

/** @param {string} text */
const bytesOf = (text) => Buffer.from(text, "latin1");

/** @param {string} text @param {number} width */
function wrap(text, width) {
  const lines = [];
  for (let at = 0; at < text.length; at += width) lines.push(`${text.slice(at, at + width)}\n`);
  return lines.join("");
}

/** @param {number} width @returns {Encoding} */
const fold = (width) => (text) =>
  text
    .split("\n")
    .map((line) => wrap(line, width).replace(/\n$/, ""))
    .join("\n");

/** @param {Buffer} bytes */
const printable = (bytes) =>
  [...bytes].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");

/** @param {Buffer} bytes @param {number} radix @param {number} width */
const byteTokens = (bytes, radix, width) => [...bytes].map((byte) => byte.toString(radix).padStart(width, "0"));

/** @param {Buffer} bytes @param {number} radix @param {number} width */
function wordTokens(bytes, radix, width) {
  const words = [];
  for (let at = 0; at < bytes.length; at += 2) {
    words.push(((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)).toString(radix).padStart(width, "0"));
  }
  return words;
}

/**
 * @param {string} text
 * @param {(offset: number, bytes: Buffer) => string} line
 * @param {(size: number) => string} last
 */
function dump(text, line, last) {
  const bytes = bytesOf(text);
  let output = "";
  for (let at = 0; at < bytes.length; at += 16) output += `${line(at, bytes.subarray(at, at + 16))}\n`;
  return output + last(bytes.length);
}

/** @param {number} value @param {number} radix @param {number} width */
const offset = (value, radix, width) => value.toString(radix).padStart(width, "0");

/** @param {(bytes: Buffer) => string} line @returns {Encoding} */
const od = (line) => (text) =>
  dump(
    text,
    (at, bytes) => `${offset(at, 8, 7)}${line(bytes)}`,
    (size) => `${offset(size, 8, 7)}\n`,
  );

/** @type {Readonly<Record<number, string>>} */
const CELLS = { 0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r" };

/** @param {number} byte */
const cell = (byte) =>
  CELLS[byte] ?? (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : byte.toString(8).padStart(3, "0"));

/** @param {(code: number) => string} write @returns {Encoding} */
const each = (write) => (text) => [...bytesOf(text)].map(write).join("");

/** @param {number} code @param {number} width */
const hex = (code, width) => code.toString(16).padStart(width, "0");

/**
 * Programs and escapes by name, in their output format. The layout of the results does not depend on the canary's
 * characters.
 * @type {Readonly<Record<string, Encoding>>}
 */
export const ENCODINGS = {
  base64: (text) => wrap(bytesOf(text).toString("base64"), 76),
  "openssl base64": (text) => wrap(bytesOf(text).toString("base64"), 64),
  "base64 -w0": (text) => bytesOf(text).toString("base64"),
  base64url: (text) => bytesOf(text).toString("base64url"),
  "xxd -p": (text) => wrap(bytesOf(text).toString("hex"), 60),
  xxd: (text) =>
    dump(
      text,
      (at, bytes) =>
        `${hex(at, 8)}: ${(bytes.toString("hex").match(/.{1,4}/g) ?? []).join(" ").padEnd(39)}  ${printable(bytes)}`,
      () => "",
    ),
  hexdump: (text) =>
    dump(
      text,
      (at, bytes) => `${hex(at, 7)} ${wordTokens(bytes, 16, 4).join(" ").padEnd(39)}`,
      (size) => `${hex(size, 7)}\n`,
    ),
  "hexdump -C": (text) =>
    dump(
      text,
      (at, bytes) => {
        const tokens = byteTokens(bytes, 16, 2);
        const halves = [tokens.slice(0, 8), tokens.slice(8)].map((half) => half.join(" ").padEnd(23));
        return `${hex(at, 8)}  ${halves.join("  ")}  |${printable(bytes)}|`;
      },
      (size) => `${hex(size, 8)}\n`,
    ),
  od: od((bytes) =>
    wordTokens(bytes, 8, 6)
      .map((word) => ` ${word}`)
      .join(""),
  ),
  "od -tx1": od((bytes) =>
    byteTokens(bytes, 16, 2)
      .map((byte) => ` ${byte}`)
      .join(""),
  ),
  "od -b": od((bytes) =>
    byteTokens(bytes, 8, 3)
      .map((byte) => ` ${byte}`)
      .join(""),
  ),
  "od -c": od((bytes) => [...bytes].map((byte) => cell(byte).padStart(4)).join("")),
  fold: fold(80),
  "fold -w 20": fold(20),
  "grep --color": (text) =>
    text
      .split("\n")
      .map((line) =>
        line.length < 6
          ? line
          : `${line.slice(0, 3)}\u001b[01;31m\u001b[K${line.slice(3, -2)}\u001b[m\u001b[K${line.slice(-2)}`,
      )
      .join("\n"),
  "\\uXXXX": each((code) => `\\u${hex(code, 4)}`),
  "\\xNN": each((code) => `\\x${hex(code, 2)}`),
  "%NN": each((code) => `%${hex(code, 2).toUpperCase()}`),
  "\\NNN": each((code) => `\\${code.toString(8).padStart(3, "0")}`),
  "&#xNN;": each((code) => `&#x${hex(code, 2)};`),
  JSON: (text) => JSON.stringify({ text }),
  shell: (text) => `export KEY='${text.replaceAll("'", "'\\''")}'`,
  CRLF: (text) => text.replace(/\r?\n/g, "\r\n"),
};
