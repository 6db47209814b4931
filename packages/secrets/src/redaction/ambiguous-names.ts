import { toUpperSnake } from "../detection/is-secret-name.ts";

const NAME =
  /(?:^|_)(?<kind>PASS|PW|PIN|SIG|SIGNATURE|PRIVATE|SEED|SEED_PHRASE|RECOVERY_PHRASE|MNEMONIC|WEBHOOK(?:_UR[IL])?)$/u;
const TOKEN = /^[^\s(){}<>"'`]{12,4096}$/u;
const PHRASE = /^(?:[a-z]{3,8}[ ,]{1,3}){11,23}[a-z]{3,8}$/u;
const PHRASE_NAME = /seed|mnemonic|recovery|backup/iu;
const PHRASE_AFTER_NAME =
  /(?:\b|_)(?:seed|mnemonic|recovery|backup)(?:[ _-]?(?:phrase|words?))?["'`]?[ \t]{0,4}(?::|=|->|is)[ \t]{0,4}["'`]?(?<value>(?:[a-z]{3,8}[ ,]{1,3}){11,23}[a-z]{3,8})(?![a-z])/dgiu;
const COLOR = /^#[0-9a-f]{3,8}$/iu;
const ADDRESS = /^https?:\/\/(?!localhost|127\.|[^/]*example)[^\s/]{1,255}\/(?<path>\S{8,2048})$/u;

function hasLettersAndDigits(value: string): boolean {
  return /[A-Za-z]/u.test(value) && /\d/u.test(value);
}

/** Returns whether a name such as `pin` or `seed` is ambiguous: it may denote a secret or something else. */
export function isAmbiguousName(name: string): boolean {
  return NAME.test(toUpperSnake(name));
}

/**
 * Returns whether the value of a field with an ambiguous name has the format of a secret, such as four digits for
 * `pin`.
 */
export function isAmbiguousSecret(name: string, value: string): boolean {
  const kind = NAME.exec(toUpperSnake(name))?.groups?.["kind"];
  if (kind === undefined || value.includes("${") || COLOR.test(value)) return false;
  if (kind === "PIN") return /^\d{4,12}$/u.test(value);
  if (kind === "PASS" || kind === "PW") return /^[^\s(){}<>]{6,}$/u.test(value) && hasLettersAndDigits(value);
  if (kind.startsWith("WEBHOOK")) return hasLettersAndDigits(ADDRESS.exec(value)?.groups?.["path"] ?? "");
  if (PHRASE.test(value)) return kind !== "PRIVATE" && !kind.startsWith("SIG");
  return TOKEN.test(value) && hasLettersAndDigits(value) && !/^https?:/u.test(value);
}

/** Finds the words of wallet recovery phrases that follow a name such as `seed phrase`. */
export function findRecoveryPhrases(text: string): { readonly start: number; readonly end: number }[] {
  if (!PHRASE_NAME.test(text)) return [];
  return [...text.matchAll(PHRASE_AFTER_NAME)].map(({ indices }) => {
    const [start, end] = indices?.groups?.["value"] ?? [0, 0];
    return { start, end };
  });
}
