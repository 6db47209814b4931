/** Where and why a text is no JSON. */
export interface JsonError {
  /** 1-based. */
  line: number;
  /** 1-based, in UTF-16 units. */
  column: number;
  /** What is wrong, a few words. */
  problem: string;
}

const LITERAL = /true|false|null/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SPACE = /[ \t\n\r]*/y;

/** What may come next. */
type Expected = "value" | "first_value_or_end" | "first_key_or_end" | "key" | "colon" | "comma_or_end" | "nothing";

/**
 * Finds the first place where a text stops being JSON; nothing when it is JSON. The engine's own messages differ
 * between Node versions and often name no position.
 */
export function findJsonError(text: string): JsonError | undefined {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let at = 0;
  for (;;) {
    at = endOf(SPACE, text, at) ?? at;
    if (at >= text.length) return expected === "nothing" ? undefined : errorAt(text, at, "the text ends too early");
    const step = stepAt(text, at, { expected, inside: open.at(-1) });
    if (step.problem !== undefined) return errorAt(text, step.end, step.problem);
    if (step.opens !== undefined) open.push(step.opens);
    if (step.closes) open.pop();
    expected = step.next ?? (open.length === 0 ? "nothing" : "comma_or_end");
    at = step.end;
  }
}

/** What was read at one place; without `next`, a value is complete. */
interface Step {
  end: number;
  next?: Expected;
  opens?: "{" | "[";
  closes?: boolean;
  problem?: string;
}

function stepAt(text: string, at: number, state: { expected: Expected; inside: "{" | "[" | undefined }): Step {
  const character = text.charAt(at);
  switch (state.expected) {
    case "nothing":
      return { end: at, problem: `unexpected ${quote(text, at)} behind the end of the JSON value` };
    case "colon":
      return character === ":" ? { end: at + 1, next: "value" } : { end: at, problem: "expected `:` behind a name" };
    case "first_key_or_end":
      return character === "}" ? { end: at + 1, closes: true } : keyAt(text, at);
    case "key":
      return keyAt(text, at);
    case "comma_or_end":
      return separatorAt(text, at, state.inside);
    case "first_value_or_end":
      return character === "]" ? { end: at + 1, closes: true } : valueAt(text, at);
    case "value":
      return valueAt(text, at);
  }
}

function keyAt(text: string, at: number): Step {
  if (text.charAt(at) !== '"')
    return { end: at, problem: `expected a name in double quotes, found ${quote(text, at)}` };
  return stringAt(text, at, "colon");
}

function separatorAt(text: string, at: number, inside: "{" | "[" | undefined): Step {
  const character = text.charAt(at);
  const closing = inside === "{" ? "}" : "]";
  if (character === closing) return { end: at + 1, closes: true };
  if (character === ",") return { end: at + 1, next: inside === "{" ? "key" : "value" };
  return { end: at, problem: `expected \`,\` or \`${closing}\`, found ${quote(text, at)}` };
}

function valueAt(text: string, at: number): Step {
  const character = text.charAt(at);
  if (character === "{") return { end: at + 1, opens: "{", next: "first_key_or_end" };
  if (character === "[") return { end: at + 1, opens: "[", next: "first_value_or_end" };
  if (character === '"') return stringAt(text, at);
  const end = endOf(LITERAL, text, at) ?? endOf(NUMBER, text, at);
  return end === undefined ? { end: at, problem: `expected a value, found ${quote(text, at)}` } : { end };
}

function stringAt(text: string, start: number, next?: Expected): Step {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return next === undefined ? { end: at + 1 } : { end: at + 1, next };
    if (character < " ") return { end: at, problem: "a control character inside of a string; write it as an escape" };
    if (character !== "\\") continue;
    const end = endOf(ESCAPE, text, at);
    if (end === undefined) return { end: at, problem: "an unknown escape inside of a string" };
    at = end - 1;
  }
  return { end: text.length, problem: "the text ends inside of a string" };
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function quote(text: string, at: number): string {
  return JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

function errorAt(text: string, at: number, problem: string): JsonError {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  return { line, column: at - before.lastIndexOf("\n"), problem };
}
