import { buildPatternAutomaton, type PatternAutomaton } from "../masker/pattern-automaton.ts";
import { CREDENTIAL_SHAPES, type CredentialShape } from "./credential-shapes.ts";

/** A credential found in a text. */
export interface FoundCredential {
  /** Kind of credential: `github`, `aws`, `jwt`, `private_key`, … */
  readonly kind: string;
  /** Start index, in UTF-16 units. */
  readonly start: number;
  /** End index, exclusive. */
  readonly end: number;
}

// Placeholders in documentation, which are not credentials: vendors' samples and repeated characters.
const PLACEHOLDER =
  /example|placeholder|redacted|changeme|dummy|your[-_]?(?:api|key|token|secret)|x{6,}|\*{3,}|\.{3}|^\$\{?\w+\}?$|^<[^>]*>$|^%\w+%$|^\{\{/i;
const ONE_CHARACTER = /^(.)\1*$/;
// The placeholder `password` in a URL such as `user:password@host` is not a real password.
const PLACEHOLDER_PASSWORD = /^(?:pass|password|passwd|pw|pwd|secret|token|xxx+)$/i;
// In source code, an argument such as `password=password` or `password=self.password)` contains no password.
const SOURCE_REFERENCE = /^(?:pass|password|passwd|pwd|[A-Za-z_$][A-Za-z_$]*(?:\.[A-Za-z_$]+)+)[(),\]}]*$/i;

function isPlaceholder(kind: string, value: string): boolean {
  if (kind === "private_key")
    return /^-{5}BEGIN [A-Z0-9 ]+-{5}\s*(?:\.{3}|…|<[^>]*>)?\s*(?:-{5}END [A-Z0-9 ]+-{5})?$/.test(value);
  if (kind === "basic_auth_url" && PLACEHOLDER_PASSWORD.test(value)) return true;
  if (kind === "connection_string" && SOURCE_REFERENCE.test(value)) return true;
  return PLACEHOLDER.test(value) || ONE_CHARACTER.test(value);
}

/** Searches a text for the keywords of all formats at once. */
interface KeywordSearch {
  readonly automaton: PatternAutomaton;
  /** Indexes in `CREDENTIAL_SHAPES` of the formats of each keyword, and of the keywords that it contains. */
  readonly shapes: ReadonlyMap<string, readonly number[]>;
}

function buildKeywordSearch(): KeywordSearch {
  const keywords = new Set(CREDENTIAL_SHAPES.flatMap((shape) => shape.keywords));
  // The automaton reports only the longest keyword that ends at a position.
  const shapesIn = (text: string): number[] =>
    CREDENTIAL_SHAPES.flatMap((shape, index) =>
      shape.keywords.some((keyword) => text.includes(keyword)) ? index : [],
    );
  return {
    automaton: buildPatternAutomaton(keywords),
    shapes: new Map([...keywords].map((keyword) => [keyword, shapesIn(keyword)])),
  };
}

let keywordSearch: KeywordSearch | undefined;

/** Returns the formats of which a text contains a keyword, in the order of the table. Most texts contain none. */
function shapesOfKeywordsIn(text: string): readonly CredentialShape[] {
  // Built on the first call, because importing this module must not take time.
  keywordSearch ??= buildKeywordSearch();
  const { automaton, shapes } = keywordSearch;
  const found = new Set<number>();
  automaton.scan(text, 0, (last, length) => {
    for (const index of shapes.get(text.slice(last + 1 - length, last + 1)) ?? []) found.add(index);
  });
  return found.size === 0 ? [] : CREDENTIAL_SHAPES.filter((_, index) => found.has(index));
}

function* matchesOf(shape: CredentialShape, text: string): Generator<FoundCredential> {
  for (const match of text.matchAll(shape.pattern)) {
    const [start, end] = match.indices?.groups?.["value"] ?? [match.index, match.index + match[0].length];
    if (!isPlaceholder(shape.kind, text.slice(start, end))) yield { kind: shape.kind, start, end };
  }
}

/**
 * Returns the credentials that are recognised in a text by their format, in order. Of overlapping matches only the
 * longest is returned. Documentation samples are ignored. Intended for reports and configuration; streams mask known
 * values instead.
 */
export function findCredentials(text: string): readonly FoundCredential[] {
  const found: FoundCredential[] = [];
  for (const shape of shapesOfKeywordsIn(text)) found.push(...matchesOf(shape, text));
  found.sort((left, right) => left.start - right.start || right.end - left.end);
  const separate: FoundCredential[] = [];
  for (const credential of found) {
    const last = separate.at(-1);
    if (last === undefined || credential.start >= last.end) separate.push(credential);
  }
  return separate;
}

/** Returns whether a value contains text in the format of a credential, whatever the name of the value. */
export function looksLikeCredential(value: string): boolean {
  for (const shape of shapesOfKeywordsIn(value)) for (const _ of matchesOf(shape, value)) return true;
  return false;
}
