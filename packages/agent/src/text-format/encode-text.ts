import { Buffer } from "node:buffer";
import { EngineError } from "@switchyard/contracts";
import { decodeUtf16 } from "./detect-format.ts";
import type { TextFormat } from "./text-format.ts";
import { fromByteText, toByteText } from "./windows-1252.ts";

const MARK = "\uFEFF";

/** Decodes the content of a file and removes the byte order mark. */
export function decodeText(bytes: Buffer, { encoding, hasMark }: TextFormat): string {
  const decoded = decodeStrict(bytes, encoding);
  return hasMark && decoded.startsWith(MARK) ? decoded.slice(1) : decoded;
}

function decodeStrict(bytes: Buffer, encoding: TextFormat["encoding"]): string {
  switch (encoding) {
    case "UTF-8":
      return bytes.toString("utf8");
    case "Latin-1":
      return bytes.toString("latin1");
    case "Windows-1252":
      return fromByteText(bytes.toString("latin1"));
    case "UTF-16LE":
    case "UTF-16BE":
      return decodeUtf16(bytes, encoding);
  }
}

/**
 * Encodes text in the format of a file, including its byte order mark. Throws `edit.character_not_in_encoding` for a
 * character that the encoding cannot represent.
 */
export function encodeText(text: string, format: TextFormat, path: string): Buffer {
  const { encoding } = format;
  const marked = format.hasMark && !text.startsWith(MARK) ? MARK + text : text;
  switch (encoding) {
    case "UTF-8":
      return Buffer.from(marked);
    case "UTF-16LE":
      return Buffer.from(marked, "utf16le");
    case "UTF-16BE":
      return Buffer.from(marked, "utf16le").swap16();
    case "Latin-1":
    case "Windows-1252":
      return encodeEightBit(marked, format, path);
  }
}

function encodeEightBit(text: string, { encoding }: TextFormat, path: string): Buffer {
  const byteText = text.replace(/[\u0080-\u009f\u0100-\u{10ffff}]/gu, (character) => {
    const isLatin1Control = encoding === "Latin-1" && character <= "\u009f";
    const byte = isLatin1Control ? character : encoding === "Windows-1252" ? toByteText(character) : undefined;
    if (byte !== undefined) return byte;
    const shown = `${character} (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")})`;
    throw new EngineError("edit.character_not_in_encoding", { path, encoding, character: shown });
  });
  return Buffer.from(byteText, "latin1");
}
