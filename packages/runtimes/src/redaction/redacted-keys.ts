import {
  REDACTED_METADATA_KEYS,
  STRUCTURED_HARMLESS_KEYS,
  STRUCTURED_SECRET_WORDS,
} from "../contract/redaction-defaults.ts";

const WORDS: readonly string[] = STRUCTURED_SECRET_WORDS;
const HARMLESS: ReadonlySet<string> = new Set(STRUCTURED_HARMLESS_KEYS);

/** The keys that are always redacted and further ones: base first, none twice. agent-runtime-package: homeboy contract adapter. */
export function extendRedactedMetadataKeys(...further: readonly (string | readonly string[])[]): string[] {
  return [...new Set([...REDACTED_METADATA_KEYS, ...further.flat()])];
}

/** `clientSecret`, `client-secret` and `Client Secret` as `client_secret`. */
export function toSnake(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/gu, "$1_$2")
    .replace(/[\s.-]+/gu, "_")
    .toLowerCase();
}

/** Whether the value of a field is redacted because of its key: it contains a secret word, or was declared. */
export function isRedactedKey(key: string, declared: ReadonlySet<string>): boolean {
  if (declared.has(key)) return true;
  const snake = toSnake(key);
  if (HARMLESS.has(snake)) return false;
  return declared.has(snake) || WORDS.some((word) => snake.includes(word));
}
