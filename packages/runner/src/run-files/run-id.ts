import { randomBytes } from "node:crypto";

// Crockford's Base32 in lower case. It has no ambiguous letters, and encoded numbers sort in numeric order.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARACTERS = 10;
const RANDOM_BYTES = 10;

function encode(value: bigint, characters: number): string {
  let text = "";
  for (let rest = value, left = characters; left > 0; left--, rest /= 32n) {
    text = ALPHABET.charAt(Number(rest % 32n)) + text;
  }
  return text;
}

/**
 * Creates a run id of 26 characters. Ids sort by creation time and need no escaping in subjects, file names and URLs.
 * See architecture: decision 2.
 */
export function createRunId(nowMs: number, random: Uint8Array = randomBytes(RANDOM_BYTES)): string {
  const entropy = BigInt(`0x${Buffer.from(random).toString("hex")}`);
  return encode(BigInt(Math.trunc(nowMs)), TIME_CHARACTERS) + encode(entropy, (RANDOM_BYTES * 8) / 5);
}
