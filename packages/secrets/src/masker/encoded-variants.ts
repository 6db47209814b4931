import { BASE64_GROUPS } from "../views/base64-reader.ts";

const BASE64_MIN = 8;

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/**
 * Returns the base64 texts in which these bytes can appear: encoded alone, and inside longer data at each of the three
 * alignments. Characters that also encode neighbouring bytes are not included.
 */
function base64Variants(bytes: Uint8Array): string[] {
  const variants: string[] = [];
  for (const offset of [0, 1, 2]) {
    const shifted = new Uint8Array(offset + bytes.length);
    shifted.set(bytes, offset);
    const encoded = toBase64(shifted);
    const start = Math.ceil((offset * 8) / 6);
    const end = Math.floor((shifted.length * 8) / 6);
    // The secret may be inside longer data, or at the end of the data. At the end, the last characters and the padding
    // also encode the secret.
    variants.push(encoded.slice(start, end), encoded.slice(start).replaceAll("=", ""), encoded.slice(start));
  }
  const urlSafe = variants.map((variant) => variant.replaceAll("+", "-").replaceAll("/", "_"));
  return [...variants, ...urlSafe].filter((variant) => variant.length >= BASE64_MIN);
}

/**
 * Returns the base64 text of a value if this text is too short to be recognised as base64 in the middle of a word.
 * Without this text, such a value would be missed if its base64 text is escaped.
 */
export function shortBase64Variants(value: string): string[] {
  const encoded = toBase64(new TextEncoder().encode(value)).replaceAll("=", "");
  if (encoded.length >= BASE64_GROUPS.length) return [];
  return [encoded, encoded.replaceAll("+", "-").replaceAll("/", "_")];
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE32_MIN = 8;

/** Returns the base32 digits that encode the complete five-bit groups between two bit positions. */
function base32Digits(bytes: Uint8Array, from: number, to: number): string {
  let digits = "";
  for (let bit = from; bit + 5 <= to; bit += 5) {
    const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    digits += BASE32.charAt((pair >> (11 - (bit & 7))) & 31);
  }
  return digits;
}

/**
 * Returns the base32 texts in which a text can appear, at each of the five alignments. Digits that also encode
 * neighbouring bytes are not included.
 */
export function base32Variants(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  const variants: string[] = [];
  for (const offset of [0, 1, 2, 3, 4]) {
    const shifted = new Uint8Array(offset + bytes.length);
    shifted.set(bytes, offset);
    const from = Math.ceil((offset * 8) / 5) * 5;
    const bits = shifted.length * 8;
    // The secret may be inside longer data or at its end, where all bits of the last digit belong to it.
    variants.push(base32Digits(shifted, from, bits), base32Digits(shifted, from, Math.ceil(bits / 5) * 5));
  }
  return variants.filter((variant) => variant.length >= BASE32_MIN);
}

/** Returns the UTF-16 bytes of a text, without the last NUL. In big-endian order, this NUL comes before the text. */
function utf16Bytes(value: string): Uint8Array {
  const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
  const bytes = units.flatMap((unit) => [unit & 255, unit >> 8]);
  return Uint8Array.from(bytes.at(-1) === 0 ? bytes.slice(0, -1) : bytes);
}

/**
 * Returns the UTF-16 bytes of a text as a string of one character per byte. In this string, NULs separate ASCII
 * characters.
 */
export function utf16Text(value: string): string {
  return String.fromCharCode(...utf16Bytes(value));
}

/** Returns the UTF-16 bytes of a text encoded in base64, as in PowerShell's encoded commands, and in hex. */
function utf16Variants(value: string): string[] {
  const bytes = utf16Bytes(value);
  return [...base64Variants(bytes), ...hexVariants(bytes)];
}

/** Encodes bytes as quoted-printable, without soft line breaks. */
function quotedPrintable(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return /[!-<>-~ ]/.test(character) ? character : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

function hexVariants(bytes: Uint8Array): string[] {
  const pairs = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
  const lower = pairs.join("");
  return [lower, lower.toUpperCase()];
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapeUnicode(text: string): string {
  return text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Returns a value as it appears in JSON text, in JSON text nested in JSON text, and with escaped slashes or non-ASCII
 * characters.
 */
function jsonVariants(value: string): string[] {
  const once = escapeJson(value);
  return [once, escapeJson(once), once.replaceAll("/", "\\/"), escapeUnicode(once), escapeJson(escapeUnicode(once))];
}

function percentEncode(bytes: Uint8Array, unescaped: RegExp): string {
  return Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return byte < 128 && unescaped.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

function lowerCaseEscapes(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase());
}

/**
 * Returns a value as it appears in a URL: encoded as component, as whole URL, by strict RFC 3986, and as form field.
 */
function addressVariants(bytes: Uint8Array): string[] {
  const component = percentEncode(bytes, /[A-Za-z0-9\-_.!~*'()]/);
  const address = percentEncode(bytes, /[A-Za-z0-9\-_.!~*'();/?:@&=+$,#]/);
  const strict = percentEncode(bytes, /[A-Za-z0-9\-_.~]/);
  const form = percentEncode(bytes, /[A-Za-z0-9\-_.* ]/).replaceAll(" ", "+");
  return [component, address, strict, form].flatMap((text) => [text, lowerCaseEscapes(text)]);
}

function escapeMarkup(value: string, quotes: Readonly<Record<string, string>>): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", ...quotes };
  return value.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function markupVariants(value: string): string[] {
  return [
    escapeMarkup(value, {}),
    escapeMarkup(value, { '"': "&quot;" }),
    escapeMarkup(value, { '"': "&quot;", "'": "&apos;" }),
    escapeMarkup(value, { '"': "&quot;", "'": "&#39;" }),
    escapeMarkup(value, { '"': "&quot;", "'": "&#x27;" }),
    escapeMarkup(value, { '"': "&#34;", "'": "&#39;" }),
  ];
}

/** Returns a value as it appears in shell commands: in quotes, and with backslashes before special characters. */
function shellVariants(value: string): string[] {
  return [
    value.replaceAll("'", "'\\''"),
    value.replaceAll("'", `'"'"'`),
    value.replaceAll("'", "\\'"),
    value.replaceAll("'", "''"),
    value.replace(/[\\"$`]/g, "\\$&"),
    value.replace(/[\\"$`!]/g, "\\$&"),
    value.replace(/[^A-Za-z0-9_@%+=:,./\n-]/g, "\\$&"),
    value.replace(/[^A-Za-z0-9_/.\n-]/g, "\\$&"),
  ];
}

/** Returns the different forms in which a text appears in logs, URLs, documents and commands. */
export function encodedVariants(value: string): ReadonlySet<string> {
  const bytes = new TextEncoder().encode(value);
  return new Set([
    value,
    ...jsonVariants(value),
    ...addressVariants(bytes),
    ...markupVariants(value),
    ...shellVariants(value),
    ...base64Variants(bytes),
    ...hexVariants(bytes),
    ...utf16Variants(value),
    quotedPrintable(bytes),
  ]);
}
