/**
 * Encodes the output of a command. In single-byte encodings, the emulated shell represents each byte as a character
 * below 256.
 */
export function encodeContent(content: string | Uint8Array, encoding: string | undefined): Uint8Array {
  if (typeof content !== "string") return content;
  switch (encoding) {
    case "binary":
    case "latin1":
    case "ascii":
      return fromLatin1(content);
    case "base64":
      return fromLatin1(atob(content));
    case "hex":
      return Uint8Array.from(content.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    default:
      return new TextEncoder().encode(content);
  }
}

/** Decodes the content of a file in one of the encodings of the emulated shell. */
export function decodeContent(bytes: Uint8Array, encoding: string | undefined): string {
  switch (encoding) {
    case "binary":
    case "latin1":
    case "ascii":
      return toLatin1(bytes);
    case "base64":
      return btoa(toLatin1(bytes));
    case "hex":
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    default:
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
}

/** Returns one character for each byte. */
export function toLatin1(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // A function call can pass at least 8,192 arguments in every JavaScript engine.
  for (let at = 0; at < bytes.length; at += 8192) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  }
  return pieces.join("");
}

function fromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
