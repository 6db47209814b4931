import { isAmbiguousName, isAmbiguousSecret } from "./ambiguous-names.ts";
import { isOrdinaryValue, isReference, type PairContext } from "./ordinary-value.ts";
import type { RedactionRules } from "./redaction-rules.ts";
import { type SecretWords, stretchesWithWords } from "./secret-words.ts";
import type { Span } from "./span.ts";

/** A pattern for pairs. */
interface Pattern {
  /**
   * Texts of which every match of `pattern` contains at least one. Searching for these texts first is much faster than
   * matching.
   */
  readonly marks: readonly string[];
  readonly pattern: RegExp;
}

// A name and the separator after it. Invisible characters may occur anywhere in the name.
const NAME =
  /(?<name>[A-Za-z_\uff21-\uff5a](?:[A-Za-z0-9_.\uff10-\uff5a-]|\p{Default_Ignorable_Code_Point}){0,80})(?<mark>(?:\\{0,8}["'`]|\]|%5D|&quot;|&#3[49];){0,2}[ \t]{0,4}(?:=>|:=|={1,3}|:|\\{1,8}(?:u003|x3)[aAdD]|&#(?:61|58|x3[aAdD]);)[ \t]{0,4}(?:&quot;|&#3[49];)?)/gu;
const BARE_NAME = String.raw`(?<![\w.-])(?<name>[A-Za-z_][A-Za-z0-9_.-]{0,80})`;
const ADDRESSEE = String.raw`(?:[ \t]{1,4}(?:for|of|on)(?:[ \t]{1,4}[\w.@/'-]{1,40}){1,4}?)?`;
const VERB = String.raw`[ \t]{1,4}(?:(?:is|was)(?:[ \t]{1,4}(?:now|set to|changed to|reset to))?|(?:set|changed|reset)[ \t]{1,4}to)[ \t]{0,4}:?`;
/**
 * Patterns for name-value pairs in a form that also occurs in ordinary sentences and tables. For these, only
 * random-looking values count as credentials.
 */
const LOOSE: readonly Pattern[] = [
  // Prose such as `the password for root is …`.
  {
    marks: ["is", "was", "set", "changed", "reset"],
    pattern: new RegExp(String.raw`${BARE_NAME}(?<mark>${ADDRESSEE}${VERB}[ \t]{1,4})(?=\S)`, "gu"),
  },
  // Arrows and table columns, such as `token -> …` and `password | …`.
  {
    marks: ["->", "→", "⇒", "➜", "|"],
    pattern: new RegExp(String.raw`${BARE_NAME}(?<mark>[ \t]{0,4}(?:-{1,2}>|→|⇒|➜|\|)[ \t]{1,40})(?=\S)`, "gu"),
  },
  // A word such as `password` followed by a blank and the value, as in `login me password …`.
  {
    marks: [" ", "\t"],
    pattern: /(?<![\w.-])(?<name>pass(?:word|wd|phrase|code))(?<mark>[ \t]{1,4})(?=[^\s])/giu,
  },
  // A name with a separator, and a value that is the only text of the next line, or of the line after that.
  {
    marks: ["\n"],
    pattern: new RegExp(
      String.raw`${BARE_NAME}(?<mark>["']?[ \t]{0,4}(?::=|=>|->|[:=])[ \t]{0,4}(?:[|>][+-]?[ \t]{0,4})?(?:\r?\n[ \t]{0,40}){1,2})(?=["']?[^\s"']{6,512}["']?[,;]?[ \t]{0,40}(?:[\r\n]|$))`,
      "gu",
    ),
  },
  // A heading such as `Your API key`, and the value on the next line.
  {
    marks: ["\n"],
    pattern:
      /^[ \t]{0,8}(?:[A-Za-z]{1,20} ){1,5}(?<name>[A-Za-z_]{3,40})(?<mark>[ \t]{0,4}(?:\r?\n[ \t]{0,40}){1,2})(?=[^\s"']{16,512}[ \t]{0,40}$)/gmu,
  },
];
const FLAG = /(?<![\w-])--?(?<name>[A-Za-z][A-Za-z0-9_-]{1,80})(?<mark>\s{1,4})(?=[^\s-])/gu;
const SCHEME = /(?:Basic|Bearer|Token|Digest|Negotiate|ApiKey|Api-Key|OAuth|Bot|SharedKey)[ \t]{1,4}(?=[\w"'+/.~-])/iuy;
/** An XML element whose tag is the name and whose content is the value. */
const ELEMENT = /<(?<name>[A-Za-z_][\w.:-]{0,80})(?<mark>>)(?=[^<\s]{1,4096}<\/\k<name>>)/gu;
const STRICT: readonly Pattern[] = [
  { marks: ["=", ":", "\\u003", "\\x3", "&#"], pattern: NAME },
  { marks: ["-"], pattern: FLAG },
  { marks: ["</"], pattern: ELEMENT },
];
const PATTERNS = [
  [STRICT, false],
  [LOOSE, true],
] as const;
const QUOTE = /(?<slashes>\\{0,8})(?<mark>["'`])/uy;
const BARE = /[^\s"'`,;&)\]}<>\\]{1,4096}/uy;
const TO_BLANK = /[^\s"'`]{1,4096}/uy;
const TO_LINE_END = /[^\r\n"'`\\]{1,4096}/uy;
const MAX_VALUE = 4096;

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

/** Returns the position of the closing quote. It is preceded by the same number of backslashes as the opening quote. */
function findClosing(text: string, start: number, quote: string): number {
  const end = Math.min(text.length, start + MAX_VALUE);
  for (let at = text.indexOf(quote, start); at !== -1 && at < end; at = text.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\" && at - 1 - slashes >= start) slashes += 1;
    if (quote.length > 1 ? slashes === 0 : slashes % 2 === 0) return at;
  }
  return -1;
}

interface Value extends Span {
  readonly isQuoted: boolean;
}

/**
 * Returns the range of the value at a position, without quotes and without an authorization scheme such as `Bearer`.
 */
function readValue(text: string, position: number, bare: RegExp): Value | undefined {
  const quoted = matchAt(QUOTE, text, position);
  if (quoted !== null) {
    const inner = position + quoted[0].length;
    const end = findClosing(text, inner, quoted[0]);
    if (end === inner) return undefined;
    if (end !== -1) return { start: skipScheme(text, inner), end, isQuoted: true };
    return readBare(text, inner, bare);
  }
  return readBare(text, position, bare);
}

function readBare(text: string, position: number, bare: RegExp): Value | undefined {
  const start = skipScheme(text, position);
  const found = matchAt(bare, text, start);
  if (found === null) return undefined;
  // Punctuation of a sentence is not part of the value.
  const value = found[0].replace(bare === TO_BLANK ? /[.!?,;:)\]}>|]+$/ : /[.!?]+$/, "");
  return value === "" ? undefined : { start, end: start + value.length, isQuoted: false };
}

function skipScheme(text: string, position: number): number {
  return position + (matchAt(SCHEME, text, position)?.[0].length ?? 0);
}

/** Names of headers whose value extends to the end of the line. */
const LINE_HEADER = /^(?:set-)?cookie2?$/i;

function bareOf(name: string, mark: string, isLoose: boolean): RegExp {
  if (isLoose) return TO_BLANK;
  return LINE_HEADER.test(name) && mark.includes(":") ? TO_LINE_END : BARE;
}

/** Position at which a match was found, and the groups `name` and `mark` of the match. */
interface Found {
  /** Index of the match in the text. */
  readonly at: number;
  /** Index of the first character after the match. */
  readonly end: number;
  readonly name: string;
  readonly mark: string;
}

interface Reading {
  readonly rules: RedactionRules;
  /** True if the pair matches a pattern of {@link LOOSE}, whose forms also occur in ordinary sentences. */
  readonly isLoose: boolean;
}

function pairAt(text: string, { at, end: from, name, mark }: Found, { rules, isLoose }: Reading): Span | undefined {
  const isCredential = rules.isSecretWord(name);
  if (!isCredential && !isAmbiguousName(name)) return undefined;
  const value = readValue(text, from, bareOf(name, mark, isLoose));
  if (value === undefined) return undefined;
  const shown = text.slice(value.start, value.end);
  if (shown.includes(rules.marker) || rules.marker.startsWith(shown)) return undefined;
  if (!isCredential) return isAmbiguousSecret(name, shown) ? value : undefined;
  const context: PairContext = {
    // An XML element's tags enclose its value in the way quotes do.
    ...{ name, mark, isLoose, isQuoted: value.isQuoted || mark === ">" },
    before: text.slice(Math.max(0, at - 2), at),
    after: text[value.end] ?? "",
  };
  // The name of an authorization scheme, such as `Bearer`, shows that a credential follows.
  const hasScheme = value.start > from + (value.isQuoted ? 1 : 0);
  const isOrdinary = hasScheme && !isLoose ? isReference(shown) : isOrdinaryValue(shown, context);
  return isOrdinary ? undefined : value;
}

function mayMatch(text: string, { marks }: Pattern): boolean {
  for (const mark of marks) if (text.includes(mark)) return true;
  return false;
}

/** Yields the matches of patterns in a stretch of a text. */
function* matchesOf(text: string, { start, end }: Span, patterns: readonly Pattern[]): Generator<Found> {
  const stretch = text.slice(start, end);
  for (const row of patterns) {
    if (!mayMatch(stretch, row)) continue;
    for (const { 0: whole, index, groups = {} } of stretch.matchAll(row.pattern)) {
      const at = start + index;
      yield { at, end: at + whole.length, name: groups["name"] ?? "", mark: groups["mark"] ?? "" };
    }
  }
}

/**
 * Finds credentials that follow a name in a text: `token=…`, `"api_key": "…"`, `the password is …`. `words` says which
 * names the function `isSecretWord` of the rules accepts. Lines without such names are not searched.
 */
export function findPairs(text: string, rules: RedactionRules, words: SecretWords): Span[] {
  const found: Span[] = [];
  for (const stretch of stretchesWithWords(text, words)) {
    for (const [patterns, isLoose] of PATTERNS) {
      for (const match of matchesOf(text, stretch, patterns)) {
        const span = pairAt(text, match, { rules, isLoose });
        if (span !== undefined) found.push(span);
      }
    }
  }
  return found;
}

const SCHEME_NAME = /basic|bearer|token/iu;
const SCHEME_VALUE = /\b(?:Basic|Bearer|Token)\s{1,4}(?<value>[A-Za-z0-9+/._~=][A-Za-z0-9+/._~=-]{7,4095})/dgiu;

/** Finds credentials after the name of an authorization scheme such as `Bearer`, except natural-language words. */
export function findSchemes(text: string): Span[] {
  if (!SCHEME_NAME.test(text)) return [];
  return [...text.matchAll(SCHEME_VALUE)].flatMap((match) => {
    const [start, end] = match.indices?.groups?.["value"] ?? [0, 0];
    const value = text.slice(start, end);
    const isOrdinaryWord = !/\d/u.test(value) && !/[+/_=~.-]/u.test(value.slice(0, -1)) && !/[a-z][A-Z]/u.test(value);
    const isCode = /^[A-Za-z_$]+(?:[.-][A-Za-z_$]+)+$/u.test(value) || /[([]/u.test(text[end] ?? "");
    return isOrdinaryWord || isCode ? [] : [{ start, end }];
  });
}
