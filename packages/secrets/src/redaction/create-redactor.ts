import { findCredentials } from "../detection/find-credentials.ts";
import { RecentTexts } from "../detection/recent-texts.ts";
import { findRecoveryPhrases } from "./ambiguous-names.ts";
import { findAddressParts } from "./find-address-parts.ts";
import { findCommandSecrets } from "./find-command-secrets.ts";
import { findPairs, findSchemes } from "./find-pairs.ts";
import { redactFields } from "./redact-fields.ts";
import { DEFAULT_RULES, type RedactionRules } from "./redaction-rules.ts";
import { replaceSpans } from "./span.ts";

/**
 * Removes credentials whose values are not known in advance. They are recognised by the names before them, their format
 * and their position.
 */
export interface Redactor {
  /** Returns the text without credentials. Contract: idempotent. */
  text(text: string): string;
  /** Returns plain data without credentials. Returns the same object if the data contains no credentials. */
  data<T>(data: T): T;
}

/**
 * Returns a function that gives the same results as `isSecret`, and remembers the results of the names that were last
 * used.
 */
function withRecent(isSecret: (name: string) => boolean): (name: string) => boolean {
  const recent = new RecentTexts<boolean>();
  return (name) => {
    const known = recent.get(name);
    if (known !== undefined) return known;
    const result = isSecret(name);
    recent.set(name, result);
    return result;
  };
}

const MAX_PASSES = 4;
const MAX_JSON_DEPTH = 8;

/** How a text is searched for credentials. `words`: whether the words that announce a secret are the default ones. */
interface RedactionSearch {
  readonly rules: RedactionRules;
  readonly words: "default" | "any";
}

function redactOnce(text: string, { rules, words }: RedactionSearch): string {
  const spans = [
    ...findAddressParts(text, rules),
    ...findPairs(text, rules, words),
    ...findSchemes(text),
    ...findCommandSecrets(text, rules),
    ...findRecoveryPhrases(text),
  ].filter(({ start, end }) => !text.slice(start, end).includes(rules.marker));
  const shapes = findCredentials(text);
  return replaceSpans(text, shapes.length === 0 ? spans : [...spans, ...shapes], rules.marker);
}

function redactPlainText(text: string, search: RedactionSearch): string {
  let redacted = text;
  // After a replacement, the surrounding text has another context, in which another pass may find more credentials.
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = redactOnce(redacted, search);
    if (next === redacted) break;
    redacted = next;
  }
  return redacted;
}

/** Redacts a text. If it is JSON, its fields are redacted first. `depth`: number of JSON texts that contain the text. */
function redactText(text: string, search: RedactionSearch, depth = 0): string {
  const { rules } = search;
  const isPlain = rules.ignoresFields === true || depth >= MAX_JSON_DEPTH || !/^\s*[[{][\s\S]*[\]}]\s*$/.test(text);
  if (isPlain) return redactPlainText(text, search);
  try {
    const parsed: unknown = JSON.parse(text);
    const redacted = redactFields(parsed, (inner) => redactText(inner, search, depth + 1), rules);
    // JSON text is serialised again only if it changed, so that other text keeps its layout.
    return redactPlainText(redacted === parsed ? text : JSON.stringify(redacted), search);
  } catch {
    return redactPlainText(text, search);
  }
}

/**
 * Creates a redactor, which removes credentials whose values are not known in advance. To remove known secrets, use a
 * masker. The redactor stores up to 1,500 short texts and names that occurred several times, so that it need not search
 * them again. Use separate redactors for texts of separate owners. Omitted rules have their defaults. Contract: the
 * functions of the rules depend only on their arguments.
 */
export function createRedactor(customRules: Partial<RedactionRules> = {}): Redactor {
  const given: RedactionRules = { ...DEFAULT_RULES, ...customRules };
  const rules: RedactionRules = {
    ...given,
    isSecretKey: withRecent((name) => given.isSecretKey(name)),
    isSecretWord: withRecent((name) => given.isSecretWord(name)),
  };
  const search: RedactionSearch = { rules, words: customRules.isSecretWord === undefined ? "default" : "any" };
  /**
   * Short texts that were searched repeatedly and contain no credentials, such as field names. They are not searched
   * again.
   */
  const clean = new RecentTexts<true>();

  function text(original: string): string {
    if (clean.get(original) === true) return original;
    const redacted = redactText(original, search);
    if (redacted === original) clean.set(original, true);
    return redacted;
  }

  function data<T>(value: T): T;
  function data(value: unknown): unknown {
    return redactFields(value, text, rules);
  }

  return { text, data };
}
