import { createHash } from "node:crypto";

/**
 * Returns a hash that identifies the content of a request: the JSON text and the hash of each file by path. The order
 * of fields and files does not matter.
 */
export function runFingerprint(body: unknown, files: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256").update(canonical(body));
  for (const [path, content] of [...files].sort(([left], [right]) => (left < right ? -1 : 1))) {
    hash.update(`\0${JSON.stringify(path)}\0${content}`);
  }
  return hash.digest("hex");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const fields = entries.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`;
}

/** Returns the hash of a file's content. */
export function contentHash(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

const KEY = /^[\x21-\x7e]{1,255}$/u;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const ID_CHARACTERS = 31;

/** Returns whether a text is a valid Idempotency-Key: 1 to 255 visible ASCII characters. */
export function isIdempotencyKey(text: string): boolean {
  return KEY.test(text);
}

/**
 * Derives the run id from an Idempotency-Key and its caller. Because equal requests get the same id, the store itself
 * rejects a second run, even after a restart. The key cannot be derived from the id.
 */
export function runIdOfKey(owner: string, key: string): string {
  const digest = createHash("sha256").update(`${owner}\0POST /v1/runs\0${key}`).digest();
  return `k${[...digest]
    .slice(0, ID_CHARACTERS)
    .map((byte) => ALPHABET[byte % ALPHABET.length] ?? "0")
    .join("")}`;
}
