import { createHash } from "node:crypto";

/** Hash of a request, whatever the order of its fields and of its files: the JSON text, and the hash of each file by its path. */
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

/** Hash of the content of a file. */
export function contentHash(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

const KEY = /^[\x21-\x7e]{1,255}$/u;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const ID_CHARACTERS = 31;

/** Whether a text can be an Idempotency-Key: 1 to 255 visible ASCII characters. */
export function isIdempotencyKey(text: string): boolean {
  return KEY.test(text);
}

/**
 * The run id of a request with an Idempotency-Key: the same for the same caller and key, so that the store itself
 * refuses a second run, also after a restart, and nothing else has to be kept. It cannot be turned back into the key.
 */
export function runIdOfKey(owner: string, key: string): string {
  const digest = createHash("sha256").update(`${owner}\0POST /v1/runs\0${key}`).digest();
  return `k${[...digest]
    .slice(0, ID_CHARACTERS)
    .map((byte) => ALPHABET[byte % ALPHABET.length] ?? "0")
    .join("")}`;
}
