import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";

/** A parsed JSON text, or the problem and its position in the text. */
export type ParsedDocument =
  | { readonly kind: "parsed"; readonly value: unknown }
  | { readonly kind: "malformed"; readonly line: number; readonly column: number; readonly problem: string };

/** Parses JSON; errors contain line and column on every version of Node. */
export function parseDocument(text: string): ParsedDocument {
  const json = text.startsWith("\uFEFF") ? text.slice(1) : text;
  try {
    const value: unknown = JSON.parse(json);
    if (!isTooDeep(json)) return { kind: "parsed", value };
    return { kind: "malformed", line: 1, column: 1, problem: `it is nested more than ${MAX_DEPTH} deep` };
  } catch {
    return { kind: "malformed", ...faultOf(json) };
  }
}

/** Maximum nesting depth. Deeper documents would overflow the stack of recursive code. */
const MAX_DEPTH = 256;

/**
 * Returns true if a JSON text is nested too deeply. Scans the characters, because a regular expression would overflow
 * the stack for texts of several megabytes.
 */
function isTooDeep(json: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json.charAt(index);
    if (isInText && character === "\\") index += 1;
    else if (character === '"') isInText = !isInText;
    else if (!isInText && (character === "[" || character === "{")) depth += 1;
    else if (!isInText && (character === "]" || character === "}")) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function faultOf(json: string): { line: number; column: number; problem: string } {
  const errors: ParseError[] = [];
  try {
    parse(json, errors, { disallowComments: true });
  } catch {
    // The text is nested too deeply for the parser, so the position of the problem is unknown.
  }
  const [first] = errors;
  if (first === undefined) return { line: 1, column: 1, problem: "it is not valid JSON" };
  const before = json.slice(0, first.offset);
  const problem = printParseErrorCode(first.error).replace(/([a-z])([A-Z])/gu, "$1 $2");
  return {
    ...{ line: before.split("\n").length, column: first.offset - before.lastIndexOf("\n") },
    problem: problem.toLowerCase(),
  };
}
