import { crc32 } from "node:zlib";
import { messageOf } from "@switchyard/contracts";

/** Version of the format in which this release stores lines and documents. */
const STORED_FORMAT = 1;

/** Result of verifying the checksum of a stored text. */
export type Opened =
  | { readonly kind: "whole"; readonly value: unknown }
  | { readonly kind: "damaged"; readonly problem: string }
  | { readonly kind: "newer"; readonly format: number };

/** Syntax of the checksum field at the end of a line or document. */
interface SealShape {
  readonly before: string;
  readonly after: string;
  readonly pattern: RegExp;
}

const LINE: SealShape = { before: ',"check":"', after: '"}', pattern: /,"check":"(\d{1,9}):([^"]{0,32})"\}$/ };
const DOCUMENT: SealShape = {
  before: ',\n  "checksum": "',
  after: '"\n}\n',
  pattern: /,\n {2}"checksum": "(\d{1,9}):([^"]{0,32})"\n\}\n$/,
};
// Number of characters at the end of a text that are searched for the checksum field. It is always large enough.
const SEAL_WINDOW = 80;

/** Returns the end of a log line: the checksum field for the given bytes, the closing brace and the line ending. */
export function lineSeal(body: Uint8Array): string {
  return `${LINE.before}${STORED_FORMAT}:${checksum(body)}${LINE.after}\n`;
}

function checksum(text: string | Uint8Array): string {
  return crc32(text).toString(16).padStart(8, "0");
}

function seal(body: string, { before, after }: SealShape): string {
  return `${body}${before}${STORED_FORMAT}:${checksum(body)}${after}`;
}

function open(bytes: Buffer, shape: SealShape): Opened {
  const match = shape.pattern.exec(bytes.subarray(-SEAL_WINDOW).toString("latin1"));
  if (match === null) return { kind: "damaged", problem: "its checksum is missing" };
  const format = Number(match[1]);
  if (format > STORED_FORMAT) return { kind: "newer", format };
  const body = bytes.subarray(0, bytes.length - match[0].length);
  if (format !== STORED_FORMAT || match[2] !== checksum(body)) {
    return { kind: "damaged", problem: "its checksum does not match" };
  }
  try {
    const value: unknown = JSON.parse(`${body.toString("utf8")}}`);
    return { kind: "whole", value };
  } catch (error) {
    return { kind: "damaged", problem: messageOf(error) };
  }
}

function toBuffer(text: string | Uint8Array): Buffer {
  return typeof text === "string" ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.byteLength);
}

/**
 * Returns a log line: the JSON text of a non-empty object with an additional last field `"check":"<format>:<crc32>"`.
 * The checksum covers everything before this field.
 */
export function sealLine(json: string): string {
  return seal(json.slice(0, -1), LINE);
}

/** Verifies the checksum of a line that `sealLine` created, and returns the record without the field `check`. */
export function openLine(line: string | Uint8Array): Opened {
  return open(toBuffer(line), LINE);
}

/**
 * Returns the content of a whole file: indented JSON of a non-empty object with an additional last field `"checksum"`.
 * The checksum covers everything before this field.
 */
export function sealDocument(value: object): string {
  return seal(JSON.stringify(value, null, 2).slice(0, -2), DOCUMENT);
}

/** Verifies the checksum of a file that `sealDocument` created, and returns the record without the field `checksum`. */
export function openDocument(text: string | Uint8Array): Opened {
  return open(toBuffer(text), DOCUMENT);
}
