import {
  PROSE_CREDENTIAL_WORDS,
  PROSE_QUALIFIERS,
  REDACTED_VALUE,
  SCHEME_WORDS,
} from "../contract/redaction-defaults.ts";
import { toSnake } from "./redacted-keys.ts";

const CREDENTIAL_WORDS: ReadonlySet<string> = new Set(PROSE_CREDENTIAL_WORDS);
const QUALIFIERS: ReadonlySet<string> = new Set(PROSE_QUALIFIERS);
const SCHEMES = SCHEME_WORDS.join("|");

const MAX_PASSES = 8;

// A key, what separates it from its value, and the value: bare, or in quotes.
const PAIR =
  /(?<key>(?:--?)?[A-Za-z][A-Za-z0-9_.-]{0,80})(?<mark>["']?\s{0,4}[:=]\s{0,4})(?<value>"[^"\n]{0,4096}"|'[^'\n]{0,4096}'|(?:(?:Basic|Bearer|Token)\s{1,4})?[^\s"',;&)\]}]{1,4096})/giu;
const FLAG = /(?<key>--[A-Za-z][A-Za-z0-9-]{0,80})(?<mark>\s{1,4})(?<value>(?!-)[^\s"']{1,4096})/gu;
const SCHEME = new RegExp(
  `\\b(?<scheme>(?:${SCHEMES})\\s{1,4})(?<value>[A-Za-z0-9+/._~=][A-Za-z0-9+/._~=-]{7,4095})`,
  "giu",
);
const USER_INFO = /(?<start>[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#:@]{0,256}:)(?<value>[^\s/?#@]{1,512})@/giu;

/**
 * A text for people without what its words call credentials: the value behind a key whose last part is a credential
 * word, what stands behind an authorization scheme, passwords in addresses, flags of commands. Counts, plain words, the
 * scheme and the structure stay. Redacting twice is redacting once. agent-runtime-package: secret requirements.
 */
export function redactProse(text: string): string {
  let redacted = text;
  // What is taken out changes what stands beside what: again, until nothing more is found.
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = redactOnce(redacted);
    if (next === redacted) break;
    redacted = next;
  }
  return redacted;
}

function redactOnce(text: string): string {
  return text
    .replace(USER_INFO, (_, start: string) => `${start}${REDACTED_VALUE}@`)
    .replace(FLAG, hide)
    .replace(PAIR, hide)
    .replace(SCHEME, (whole, scheme: string, value: string) =>
      looksRandom(value) ? `${scheme}${REDACTED_VALUE}` : whole,
    );
}

function hide(whole: string, ...groups: string[]): string {
  const [key = "", mark = "", value = ""] = groups;
  const quote = /^["']/u.exec(value)?.[0] ?? "";
  const inner = quote === "" ? value : value.slice(1, -1);
  const scheme = new RegExp(`^(?:${SCHEMES})\\s+`, "iu").exec(inner)?.[0] ?? "";
  if (!namesCredential(key) || isPlain(inner.slice(scheme.length))) return whole;
  return `${key}${mark}${quote}${scheme}${REDACTED_VALUE}${quote}`;
}

/** Whether the last part of a key is a credential word, or is followed by one qualifier. */
function namesCredential(key: string): boolean {
  const parts = toSnake(key.replace(/^-+/u, "")).split("_");
  const last = parts.at(-1) ?? "";
  if (CREDENTIAL_WORDS.has(last)) return true;
  return QUALIFIERS.has(last) && CREDENTIAL_WORDS.has(parts.at(-2) ?? "");
}

/** Counts and single words of a sentence are no credentials, and what is redacted stays so. */
function isPlain(inner: string): boolean {
  if (inner.includes(REDACTED_VALUE) || REDACTED_VALUE.startsWith(inner)) return true;
  return (
    /^[\d.,]+%?$/u.test(inner) || /^(?:true|false|null|none|missing|required|invalid|expired|unset)$/iu.test(inner)
  );
}

/** Whether a word is none of a language: digits, punctuation or mixed case. */
function looksRandom(value: string): boolean {
  return /\d/u.test(value) || /[+/_=~.-]/u.test(value.slice(0, -1)) || /[a-z][A-Z]/u.test(value);
}
