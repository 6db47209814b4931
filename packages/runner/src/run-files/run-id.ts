import { randomBytes } from "node:crypto";

// Crockford's alphabet in lower case: no letter that reads like a digit, and its order is that of the numbers.
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
 * A new run id: 26 characters that sort by time of creation and need no escaping in a subject, a file name or a
 * URL. architecture: decision 2.
 */
export function createRunId(nowMs: number, random: Uint8Array = randomBytes(RANDOM_BYTES)): string {
  const entropy = BigInt(`0x${Buffer.from(random).toString("hex")}`);
  return encode(BigInt(Math.trunc(nowMs)), TIME_CHARACTERS) + encode(entropy, (RANDOM_BYTES * 8) / 5);
}
