import { joinBytes } from "../../output/join-bytes.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
/** Number of compressed bytes that one line of a binary patch encodes. */
const LINE_BYTES = 52;

/**
 * Returns the change of a binary file in git's format. It contains the new and the old content, so that it can be
 * reversed.
 */
export async function renderBinaryPatch(oldBytes: Uint8Array, newBytes: Uint8Array): Promise<string> {
  return `GIT binary patch\n${await renderLiteral(newBytes)}\n${await renderLiteral(oldBytes)}\n`;
}

async function renderLiteral(bytes: Uint8Array): Promise<string> {
  const packed = await deflate(bytes);
  const lines: string[] = [];
  for (let at = 0; at < packed.length; at += LINE_BYTES) {
    const line = packed.subarray(at, at + LINE_BYTES);
    lines.push(`${lengthLetter(line.length)}${encodeBase85(line)}\n`);
  }
  return `literal ${bytes.length}\n${lines.join("")}`;
}

/** Encodes the number of bytes in a line as one letter: A to Z for 1 to 26, a to z for 27 to 52. */
function lengthLetter(length: number): string {
  return String.fromCharCode(length <= 26 ? 64 + length : 70 + length);
}

function encodeBase85(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    let value = 0;
    for (let offset = 0; offset < 4; offset += 1) value = value * 256 + (bytes[at + offset] ?? 0);
    let group = "";
    for (let digit = 0; digit < 5; digit += 1) {
      group = (ALPHABET[value % 85] ?? "") + group;
      value = Math.floor(value / 85);
    }
    text += group;
  }
  return text;
}

async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const reader = new Blob([bytes.slice()]).stream().pipeThrough(new CompressionStream("deflate")).getReader();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    if (value !== undefined) pieces.push(new Uint8Array(value));
  }
  return joinBytes(pieces);
}
