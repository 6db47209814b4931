import { EngineError } from "@switchyard/contracts";

/**
 * Maximum depth of nested objects and arrays. A deeper request is refused, because functions that traverse it could
 * overflow the stack.
 */
const MAX_DEPTH = 500;

/** Position of a value in a JSON text. */
export interface ValueSpan {
  /** Index of the first character. */
  readonly start: number;
  /** Index after the last character. */
  readonly end: number;
}

const SPACE = /[\t\n\r ]*/y;
const SCALAR = /[^\t\n\r ,}\]]*/y;
const BRACKET_OR_QUOTE = /["{}[\]]/g;

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.exec(text);
  return pattern.lastIndex;
}

/** Returns the index after a string that begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Returns the index after an object or an array that begins at `at`. */
function endOfNested(text: string, at: number): number {
  let depth = 0;
  BRACKET_OR_QUOTE.lastIndex = at;
  for (let match = BRACKET_OR_QUOTE.exec(text); match !== null; match = BRACKET_OR_QUOTE.exec(text)) {
    const character = match[0];
    if (character === '"') BRACKET_OR_QUOTE.lastIndex = endOfString(text, match.index);
    else depth += character === "{" || character === "[" ? 1 : -1;
    if (depth === 0) return match.index + 1;
    if (depth > MAX_DEPTH) throw new EngineError("gateway.request_refused", { problem: "it is nested too deeply." });
  }
  return text.length;
}

function endOfValue(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at);
  return text[at] === "{" || text[at] === "[" ? endOfNested(text, at) : skip(SCALAR, text, at);
}

/**
 * Calls `visit` with the name and the position of each field of the object in a valid JSON text. A name that occurs
 * twice is visited twice, whereas `JSON.parse` keeps only the last value. Throws `gateway.request_refused` for a value
 * that is nested too deeply.
 */
export function visitTopLevelFields(text: string, visit: (name: string, span: ValueSpan) => void): void {
  let at = skip(SPACE, text, skip(SPACE, text, 0) + 1);
  while (text[at] === '"') {
    const endOfName = endOfString(text, at);
    const name: unknown = JSON.parse(text.slice(at, endOfName));
    const start = skip(SPACE, text, skip(SPACE, text, endOfName) + 1);
    const end = endOfValue(text, start);
    visit(String(name), { start, end });
    at = skip(SPACE, text, skip(SPACE, text, end) + 1);
  }
}
