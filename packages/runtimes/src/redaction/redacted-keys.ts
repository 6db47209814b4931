import type { RedactionRules } from "@switchyard/secrets";
import {
  PROSE_CREDENTIAL_ENDINGS,
  PROSE_CREDENTIAL_WORDS,
  PROSE_QUALIFIERS,
  REDACTED_METADATA_KEYS,
  REDACTED_VALUE,
  STRUCTURED_HARMLESS_KEYS,
  STRUCTURED_SECRET_SEGMENTS,
  STRUCTURED_SECRET_WORDS,
} from "../contract/redaction-defaults.ts";

const WORDS: readonly string[] = STRUCTURED_SECRET_WORDS;
const SEGMENTS: ReadonlySet<string> = new Set(STRUCTURED_SECRET_SEGMENTS);
const HARMLESS: ReadonlySet<string> = new Set(STRUCTURED_HARMLESS_KEYS);
const CREDENTIAL_WORDS: ReadonlySet<string> = new Set(PROSE_CREDENTIAL_WORDS);
const QUALIFIERS: ReadonlySet<string> = new Set(PROSE_QUALIFIERS);

/**
 * Returns the standard list of keys whose values are redacted, extended by additional keys, without duplicates. See
 * agent-runtime-package: homeboy contract adapter.
 */
export function extendRedactedMetadataKeys(...further: readonly (string | readonly string[])[]): string[] {
  return [...new Set([...REDACTED_METADATA_KEYS, ...further.flat()])];
}

/**
 * Returns a key in snake_case, such as `client_secret` for `clientSecret`, `client-secret` and `Client Secret`, without
 * invisible characters.
 */
function toSnake(key: string): string {
  return key
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]+/gu, "")
    .normalize("NFKC")
    .replace(/([a-z0-9])([A-Z])/gu, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/gu, "$1_$2")
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .toLowerCase();
}

/** Returns true if a field's key contains a secret word, so that its value is redacted. */
function isRedactedKey(key: string): boolean {
  const snake = toSnake(key);
  if (HARMLESS.has(snake)) return false;
  return WORDS.some((word) => snake.includes(word)) || snake.split("_").some((segment) => SEGMENTS.has(segment));
}

function announcesCredential(part: string): boolean {
  return CREDENTIAL_WORDS.has(part) || PROSE_CREDENTIAL_ENDINGS.some((ending) => part.endsWith(ending));
}

/**
 * Returns true if a key ends with a credential word such as `token`, or with a credential word and one qualifier, such
 * as `token id`.
 */
function isCredentialWord(key: string): boolean {
  const parts = toSnake(key).split("_");
  const last = parts.at(-1) ?? "";
  return announcesCredential(last) || (QUALIFIERS.has(last) && announcesCredential(parts.at(-2) ?? ""));
}

/**
 * Returns the redaction rules for outcomes, including additional keys that the provider declares. See
 * agent-runtime-package: secret requirements.
 */
export function redactionRulesOf(declared: readonly string[] = []): RedactionRules {
  const keys: ReadonlySet<string> = new Set(extendRedactedMetadataKeys(declared));
  const snakes: ReadonlySet<string> = new Set([...keys].map(toSnake));
  return {
    marker: REDACTED_VALUE,
    isSecretKey: (name) => isRedactedKey(name) || (snakes.has(toSnake(name)) && !HARMLESS.has(toSnake(name))),
    isSecretWord: isCredentialWord,
    isDeclared: (name) => keys.has(name),
    redactsStructures: true,
  };
}
