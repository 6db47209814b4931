/** Where a text stops being JSON, and why. */
export interface JsonProblem {
  /** 1-based. */
  line: number;
  /** 1-based, in characters. */
  column: number;
  /** What is wrong there. */
  problem: string;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

type Expectation = "value" | "value or ]" | "name or }" | "name" | "colon" | "comma or ]" | "comma or }" | "end";

const WORDS: Readonly<Record<Expectation, string>> = {
  value: "a value",
  "value or ]": "a value or `]`",
  "name or }": "a property name in double quotes or `}`",
  name: "a property name in double quotes",
  colon: "`:`",
  "comma or ]": "`,` or `]`",
  "comma or }": "`,` or `}`",
  end: "the end of the text",
};

/**
 * The place where a text stops being JSON; nothing when it is JSON. `JSON.parse` tells the position in some
 * versions of Node and for some mistakes only.
 */
export function locateJsonError(text: string): JsonProblem | undefined {
  const open: ("[" | "{")[] = [];
  let expected: Expectation = "value";
  let offset = skip(SPACE, text, 0);
  while (offset < text.length) {
    const step = takeToken(text, offset, expected);
    if (step === undefined) return describe(text, offset, expected);
    if (step.opens !== undefined) open.push(step.opens);
    if (step.closes) open.pop();
    expected = step.expected ?? afterValue(open.at(-1));
    offset = skip(SPACE, text, step.end);
  }
  return expected === "end" ? undefined : describe(text, text.length, expected);
}

interface Step {
  end: number;
  opens?: "[" | "{";
  closes?: boolean;
  /** Absent after a whole value: what follows depends on what is open around it. */
  expected?: Expectation;
}

function takeToken(text: string, offset: number, expected: Expectation): Step | undefined {
  const character = text.charAt(offset);
  const end = offset + 1;
  switch (expected) {
    case "value":
      return takeValue(text, offset);
    case "value or ]":
      return character === "]" ? { end, closes: true } : takeValue(text, offset);
    case "name or }":
      return character === "}" ? { end, closes: true } : takeName(text, offset);
    case "name":
      return takeName(text, offset);
    case "colon":
      return character === ":" ? { end, expected: "value" } : undefined;
    case "comma or ]":
      return character === "," ? { end, expected: "value" } : character === "]" ? { end, closes: true } : undefined;
    case "comma or }":
      return character === "," ? { end, expected: "name" } : character === "}" ? { end, closes: true } : undefined;
    case "end":
      return undefined;
  }
}

function takeName(text: string, offset: number): Step | undefined {
  const end = skipString(text, offset);
  return end > offset ? { end, expected: "colon" } : undefined;
}

function takeValue(text: string, offset: number): Step | undefined {
  const character = text.charAt(offset);
  if (character === "{") return { end: offset + 1, opens: "{", expected: "name or }" };
  if (character === "[") return { end: offset + 1, opens: "[", expected: "value or ]" };
  const ends = [skipString(text, offset), skip(NUMBER, text, offset), skip(WORD, text, offset)];
  const end = ends.find((candidate) => candidate > offset);
  return end === undefined ? undefined : { end };
}

function afterValue(around: "[" | "{" | undefined): Expectation {
  return around === undefined ? "end" : around === "[" ? "comma or ]" : "comma or }";
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

// By hand: a regular expression over a whole string of some megabytes runs out of stack.
function skipString(text: string, offset: number): number {
  if (text.charAt(offset) !== '"') return offset;
  let position = offset + 1;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === 0x22) return position + 1;
    const next = code === 0x5c ? skip(ESCAPE, text, position) : code < 0x20 ? position : position + 1;
    if (next === position) return offset;
    position = next;
  }
  return offset;
}

function skip(token: RegExp, text: string, offset: number): number {
  token.lastIndex = offset;
  return token.test(text) ? token.lastIndex : offset;
}

function describe(text: string, offset: number, expected: Expectation): JsonProblem {
  const before = text.slice(0, offset).split("\n");
  const found = text.codePointAt(offset);
  const foundText = found === undefined ? "the text ends" : `found ${JSON.stringify(String.fromCodePoint(found))}`;
  const brokenString = text.charAt(offset) === '"' && /value|name/.test(expected);
  const problem = brokenString
    ? "a text in quotes is not closed, or holds a line end or a bad escape"
    : `expected ${WORDS[expected]}, ${foundText}`;
  return { line: before.length, column: (before.at(-1) ?? "").length + 1, problem };
}
